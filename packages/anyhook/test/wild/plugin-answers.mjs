// @ts-nocheck: values of other people, in shapes that nobody promises
// A plugin of OpenCode, started as OpenCode starts it and asked about every moment: what it registers, what it answers.

import { OPENCODE, settled } from './moments.mjs';

/** @param {object} exports @param {object} input @returns {Promise<object[]>} the hooks of each */
export async function startPlugins(exports, input) {
  const hooks = [];
  for (const start of startsOf(exports)) {
    try {
      const made = await start(input, undefined);
      if (typeof made === 'object' && made !== null) hooks.push(made);
    } catch {
      // a function beside the plugin, exported for others
    }
  }
  return hooks;
}

/** @param {readonly object[]} hooks */
export async function askHooks(hooks) {
  const names = (part) => hooks.flatMap((one) => Object.keys(one[part] ?? {}));
  const isHook = (one) => (key) => /^[a-z]/.test(key) && typeof one[key] === 'function';
  const answers = [];
  for (const [name, given, output] of OPENCODE) {
    const listeners = hooks.filter((one) => typeof one[name] === 'function');
    if (listeners.length > 0) answers.push(settled(await answerOf(name, listeners, given, output)));
  }
  return {
    registered: {
      hooks: [...new Set(hooks.flatMap((one) => Object.keys(one).filter(isHook(one))))].toSorted(),
      tools: names('tool').toSorted(),
      auth: hooks.flatMap(({ auth }) => auth?.provider ?? []),
    },
    answers,
  };
}

/** A module with a whole plugin as its default is that plugin; otherwise every function it exports is one. */
function startsOf(exports) {
  const whole = exports.default;
  if (typeof whole === 'object' && typeof whole?.server === 'function') return [whole.server];
  return [...new Set(Object.values(exports).filter((value) => typeof value === 'function'))];
}

async function answerOf(name, listeners, given, output) {
  const left = structuredClone(output);
  try {
    for (const one of listeners) await one[name](structuredClone(given), left);
    return { name, left };
  } catch (error) {
    return { name, threw: String(error?.message ?? error) };
  }
}
