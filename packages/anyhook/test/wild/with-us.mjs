// @ts-nocheck: values of other people, in shapes that nobody promises
// The same package in our loaders. Says the same line.

import { writeSync } from 'node:fs';
import { OPENCODE, PI, settled } from './moments.mjs';

const [kind, place] = process.argv.slice(2);
const DIST = new URL('../../dist/agents/', import.meta.url);
process.on('unhandledRejection', () => {}).on('uncaughtException', () => {});
const said = kind === 'pi' ? await pi(place) : await opencode(place);
writeSync(1, `\n@@${JSON.stringify(said)}\n`);
process.exit(0);

/** @param {string} folder */
async function opencode(folder) {
  const { loadPlugins } = await import(new URL('opencode/api/index.js', DIST).href);
  const services = { log() {} };
  const started = performance.now();
  const plugins = await loadPlugins({
    directory: process.cwd(),
    plugins: [folder],
    services,
    timeoutMs: 60_000,
  });
  const ms = performance.now() - started;
  const answers = [];
  const names = new Set(
    plugins.hooks.flatMap((one) => Object.keys(one).filter((key) => typeof one[key] === 'function')),
  );
  for (const [name, given, output] of OPENCODE) {
    if (!names.has(name)) continue;
    const left = structuredClone(output);
    try {
      await plugins.trigger(name, structuredClone(given), left);
      answers.push(settled({ name, left }));
    } catch (error) {
      answers.push(settled({ name, threw: error.message }));
    }
  }
  return {
    ms,
    errors: plugins.problems.filter(({ severity }) => severity === 'error').map(({ message }) => message),
    registered: {
      hooks: [...names].toSorted(),
      tools: plugins.offers.tools.map(({ name }) => name).toSorted(),
      auth: plugins.auth.map(({ provider }) => provider),
    },
    answers,
  };
}

/** @param {string} folder */
async function pi(folder) {
  const { loadHooks, HookRunner } = await import(new URL('oh-my-pi/index.js', DIST).href);
  const started = performance.now();
  const { hooks, errors } = await loadHooks([folder], process.cwd(), { timeoutMs: 60_000 });
  const ms = performance.now() - started;
  const all = (part) => hooks.flatMap((one) => [...one[part].keys()]).toSorted();
  const services = { messages: { send() {}, append() {} } };
  const runner = new HookRunner(hooks, { cwd: process.cwd(), services });
  const wrong = [];
  runner.onError(({ error }) => wrong.push(error));
  const answers = [];
  for (const event of PI) {
    if (!runner.hasHandlers(event.type)) continue;
    wrong.length = 0;
    const given = structuredClone(event);
    let said, threw;
    try {
      if (event.type === 'tool_call') said = await runner.emitToolCall(given);
      else if (event.type === 'context')
        said = changedMessages(event, await runner.emitContext(given.messages));
      else said = await runner.emit(given);
    } catch (error) {
      threw = error.message;
    }
    answers.push(settled({ type: event.type, input: event.input, said, threw: threw ?? wrong[0] }));
  }
  return {
    ms,
    errors: errors.map(({ error }) => error),
    registered: {
      events: [...new Set(all('handlers'))],
      tools: all('tools'),
      commands: all('commands'),
      flags: all('flags'),
      shortcuts: all('shortcuts'),
    },
    answers,
  };
}

/** Who changes nothing has said nothing. */
function changedMessages({ messages }, after) {
  return JSON.stringify(messages) === JSON.stringify(after) ? undefined : { messages: after };
}
