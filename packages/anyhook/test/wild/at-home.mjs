// @ts-nocheck: values of other people, in shapes that nobody promises
// One package as its own agent would have it: pi by pi's own loader, a plugin of OpenCode by a plain import.
// Says in one line of JSON what it registers and what it answers.
import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { OPENCODE, PI, settled } from './moments.mjs';

const [kind, extra, ...places] = process.argv.slice(2);
process.on('unhandledRejection', () => {}).on('uncaughtException', () => {}); // told apart from what it answers
const said = kind === 'pi' ? await pi(places, extra) : await opencode(places[0], extra);
writeSync(1, `\n@@${JSON.stringify(said)}\n`);
process.exit(0);

/** @param {string} file @param {string} sdk */
async function opencode(file, sdk) {
  const started = performance.now();
  const exports = await import(pathToFileURL(file).href);
  const ms = performance.now() - started;
  const { createOpencodeClient } = await import(pathToFileURL(sdk).href);
  const answer = async () => new Response('{}', { headers: { 'content-type': 'application/json' } });
  const client = createOpencodeClient({ baseUrl: 'http://localhost:4096', fetch: answer });
  const directory = process.cwd();
  const input = {
    client,
    directory,
    worktree: directory,
    project: { id: 'p', worktree: directory, time: { created: 1 } },
    serverUrl: new URL('http://localhost:4096'),
    $: shell,
  };
  const whole = exports.default;
  const starts =
    typeof whole === 'object' && typeof whole?.server === 'function'
      ? [whole.server]
      : [...new Set(Object.values(exports).filter((value) => typeof value === 'function'))];
  const hooks = [];
  for (const start of starts) {
    try {
      const made = await start(input, undefined);
      if (typeof made === 'object' && made !== null) hooks.push(made);
    } catch {
      // a helper beside the plugin
    }
  }
  const names = (part) => hooks.flatMap((one) => Object.keys(one[part] ?? {}));
  const answers = [];
  for (const [name, given, output] of OPENCODE) {
    const left = structuredClone(output);
    let threw;
    for (const one of hooks)
      if (typeof one[name] === 'function' && threw === undefined)
        try {
          await one[name](structuredClone(given), left);
        } catch (error) {
          threw = String(error?.message ?? error);
        }
    if (hooks.some((one) => typeof one[name] === 'function'))
      answers.push(settled(threw === undefined ? { name, left } : { name, threw }));
  }
  return {
    ms,
    registered: {
      hooks: [
        ...new Set(
          hooks.flatMap((one) =>
            Object.keys(one).filter((key) => /^[a-z]/.test(key) && typeof one[key] === 'function'),
          ),
        ),
      ].toSorted(),
      tools: names('tool').toSorted(),
      auth: hooks.flatMap(({ auth }) => auth?.provider ?? []),
    },
    answers,
  };
}

/** Nothing is run. */
function shell() {
  const result = { exitCode: 0, stdout: Buffer.from(''), stderr: Buffer.from(''), text: () => '' };
  const running = Object.assign(Promise.resolve(result), {
    text: async () => '',
    json: async () => ({}),
    lines: async () => [],
  });
  for (const word of ['quiet', 'nothrow', 'cwd', 'env', 'throws']) running[word] = () => running;
  return running;
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
    answers.push(settled({ type: event.type, input: event.input, said, threw }));
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

function context() {
  const none = new Proxy(() => undefined, {
    get: (_, name) => (name === 'theme' ? none : name === 'then' ? undefined : () => undefined),
  });
  const list = () => [];
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
