// @ts-nocheck: values of other people, in shapes that nobody promises
// Extensions in their own agent's loader: what they register and what they answer, in one line of JSON. With `import`,
// only how long Node takes to import a file.

import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { PI, settled } from './moments.mjs';

const [kind, extra, ...places] = process.argv.slice(2);
process.on('unhandledRejection', () => {}).on('uncaughtException', () => {}); // told apart from what it answers
const said = kind === 'pi' ? await pi(places, extra) : await imported(extra);
writeSync(1, `\n@@${JSON.stringify(said)}\n`);
process.exit(0);

/** The time of a plain import: for the row on loading. @param {string} file */
async function imported(file) {
  const started = performance.now();
  await import(pathToFileURL(file).href);
  return { ms: performance.now() - started };
}

/** @param {string[]} files @param {string} agent the entry of pi's own package */
async function pi(files, agent) {
  const { discoverAndLoadExtensions } = await import(pathToFileURL(agent).href);
  const started = performance.now();
  const { extensions, errors, runtime } = await discoverAndLoadExtensions(files, process.cwd());
  const ms = performance.now() - started;
  for (const name of Object.keys(runtime))
    if (typeof runtime[name] === 'function' && !/assert|track|flag/.test(name)) runtime[name] = () => [];
  const all = (part) => extensions.flatMap((one) => [...(one[part]?.keys() ?? [])]).toSorted();
  const answers = [];
  for (const event of PI) {
    const handlers = extensions.flatMap((one) => one.handlers.get(event.type) ?? []);
    if (handlers.length === 0) continue;
    let said, threw;
    for (const handler of handlers)
      try {
        const answer = await handler(structuredClone(event), context());
        if (answer !== undefined && !said?.block) said = answer;
      } catch (error) {
        threw ??= String(error?.message ?? error);
      }
    answers.push(settled({ type: event.type, input: event.input, said: changing(said, event), threw }));
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

/** An empty answer, or the very messages it was shown: that is to say nothing. */
function changing(said, { messages }) {
  if (said !== undefined && Object.keys(Object(said)).length === 0) return undefined;
  const isSame = messages !== undefined && JSON.stringify(said?.messages) === JSON.stringify(messages);
  return isSame ? undefined : said;
}

function context() {
  const list = () => [];
  const none = new Proxy(() => undefined, {
    // What pi itself answers without a screen.
    get: (_, name) =>
      name === 'theme'
        ? none
        : name === 'then'
          ? undefined
          : name === 'getAllThemes'
            ? list
            : () => undefined,
  });
  return {
    ui: none,
    hasUI: false,
    mode: 'print',
    cwd: process.cwd(),
    sessionManager: {
      getEntries: list,
      getBranch: list,
      getTree: list,
      getSessionId: () => '',
      getSessionFile: () => undefined,
      getLeafId: () => null,
      getLeafEntry: () => undefined,
      getSessionName: () => undefined,
      getCwd: () => process.cwd(),
      getHeader: () => null,
      getSessionDir: () => '',
      getEntry: () => undefined,
      getLabel: () => undefined,
    },
    modelRegistry: { getAvailable: list, getAll: list, find: () => undefined },
    model: undefined,
    scopedModels: [],
    isIdle: () => true,
    isProjectTrusted: () => true,
    abort() {},
    shutdown() {},
    compact() {},
    hasPendingMessages: () => false,
    getContextUsage: () => undefined,
    getSystemPrompt: () => '',
  };
}
