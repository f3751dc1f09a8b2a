// Ten handlers that look at a tool call, in our engine and in the runners of other agents, as published. Each makes a function
// that asks all ten once; before that, one of them has to refuse a call, or nothing would be measured.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { HookRunner, loadHooks } from '../packages/anyhook/dist/agents/oh-my-pi/api/index.js';
import { loadPlugins } from '../packages/anyhook/dist/agents/opencode/api/index.js';
import { createHooks, defineHook, deny } from '../packages/anyhook/dist/index.js';
import { removeTree } from '../packages/anyhook/dist/internals.js';
import { quiet } from './open.mjs';
import { peer } from './peers.mjs';
import { published } from './published.mjs';

const TEN = Array.from({ length: 10 }, (_, n) => n);
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
/** Distinct functions, as in life. @param {'synchronous' | 'asynchronous'} kind */
const ten = (kind, params, body) =>
  TEN.map((n) => new (kind === 'asynchronous' ? AsyncFunction : Function)(...params, body(n)));

async function tried(call, isRefused) {
  if (isRefused(await call('ls')) || !isRefused(await call('no 9')))
    throw new Error('the handlers are not asked');
  return () => call('ls');
}

export async function anyhook(kind) {
  const hooks = await createHooks({
    ...quiet,
    hooks: ten(
      kind,
      ['deny', 'event'],
      (n) => `if (event.payload.input.command === 'no ${n}') return deny('no');`,
    ).map((run, n) =>
      defineHook({ on: 'tool.before', match: 'shell', name: `h${n}`, run: (event) => run(deny, event) }),
    ),
  });
  return await tried(
    (command) => hooks.fire({ name: 'tool.before', payload: { tool: 'shell', input: { command } } }),
    ({ proceed }) => proceed === 'no',
  );
}

const OPENCODE = [
  ['input', 'output'],
  (n) => `if (output.args.command === 'no ${n}') throw new Error('no');`,
];
const opencodeCall = (trigger) => (command) =>
  trigger('tool.execute.before', { tool: 'bash', sessionID: 's', callID: 'c' }, { args: { command } }).then(
    () => false,
    () => true,
  );

/**
 * Its program is compiled: this is the loop of its published plugin service, on the effect that is published (it pins a beta of that),
 * without looking up the instance it is in.
 */
export async function opencode(kind) {
  const { Effect } = await import(pathToFileURL(join(peer('effect').folder, 'dist/index.js')).href);
  const plugins = ten(kind, ...OPENCODE).map((listener) => ({ 'tool.execute.before': listener }));
  const trigger = Effect.fn('Plugin.trigger')(function* (name, input, output) {
    for (const plugin of plugins) {
      const listener = plugin[name];
      if (listener) yield* Effect.promise(async () => listener(input, output));
    }
    return output;
  });
  return await tried(
    opencodeCall((...args) => Effect.runPromise(trigger(...args))),
    (said) => said,
  );
}
/** The very plugins that OpenCode would load, in our surface for them. */
export async function opencodeSurface(kind) {
  const root = mkdtempSync(join(tmpdir(), 'anyhook-runners-'));
  const [params, body] = OPENCODE;
  const word = kind === 'asynchronous' ? 'async ' : '';
  const plugins = TEN.map((n) => {
    const file = join(root, `plugin-${n}.mjs`);
    writeFileSync(
      file,
      `export default async () => ({ 'tool.execute.before': ${word}(${params.join(', ')}) => { ${body(n)} } });\n`,
    );
    return file;
  });
  const loaded = await loadPlugins({ directory: root, home: root, plugins });
  removeTree(root);
  return await tried(opencodeCall(loaded.trigger), (said) => said);
}

const OH_MY_PI = [
  ['event', 'ctx'],
  (n) => `if (event.input.command === 'no ${n}') return { block: true, reason: 'no' };`,
];
const toolCall = (command) => ({
  type: 'tool_call',
  toolName: 'bash',
  toolCallId: 'c',
  input: { command },
});
const isBlocked = (said) => said?.block === true;

/** Its runner's file as it is; the settings of the session, of which it keeps track, stand still. */
export async function ohMyPi(kind) {
  // Written for a runtime that has it.
  Promise.withResolvers ??= function () {
    let [resolve, reject] = [];
    const promise = new this((...both) => ([resolve, reject] = both));
    return { promise, resolve, reject };
  };
  const extensions = 'src/extensibility/extensions';
  const { ExtensionRunner } = await published(
    peer('oh-my-pi'),
    `export { ExtensionRunner } from './${extensions}/runner.ts';`,
    [
      `${extensions}/runner`,
      `${extensions}/managed-timers`,
      `${extensions}/model-api`,
      'src/extensibility/shared-events',
    ],
    { 'src/config/settings': 'export const withActiveSettings = (_, run) => run();' },
  );
  const loaded = ten(kind, ...OH_MY_PI).map((handler, n) => ({
    path: `extension-${n}.ts`,
    handlers: new Map([['tool_call', [handler]]]),
  }));
  const session = { getCwd: () => '/', getSessionId: () => 's' };
  const runner = new ExtensionRunner(loaded, {}, '/', session, {});
  return await tried((command) => runner.emitToolCall(toolCall(command)), isBlocked);
}
/** The very modules that oh-my-pi would load, in our surface for them. */
export async function ohMyPiSurface(kind) {
  const root = mkdtempSync(join(tmpdir(), 'anyhook-runners-'));
  const [params, body] = OH_MY_PI;
  const word = kind === 'asynchronous' ? 'async ' : '';
  const files = TEN.map((n) => {
    const file = join(root, `extension-${n}.mjs`);
    writeFileSync(
      file,
      `export default (pi) => pi.on('tool_call', ${word}(${params.join(', ')}) => { ${body(n)} });\n`,
    );
    return file;
  });
  const { hooks, errors } = await loadHooks(files, root);
  removeTree(root);
  if (hooks.length < TEN.length) throw new Error(JSON.stringify(errors));
  const runner = new HookRunner(hooks, { cwd: '/' });
  return await tried((command) => runner.emitToolCall(toolCall(command)), isBlocked);
}

/** Planner, runner and aggregator, which it calls one after another; without its telemetry and its debug console. */
export async function geminiCli(kind) {
  console.debug = () => {};
  const hooks = 'dist/src/hooks';
  const parts = ['hookRegistry', 'hookPlanner', 'hookRunner', 'hookAggregator'];
  const {
    HookRegistry,
    HookPlanner,
    HookRunner: Runner,
    HookAggregator,
  } = await published(
    peer('Gemini CLI'),
    parts.map((part) => `export * from './${hooks}/${part}.js';`).join('\n'),
    [...parts, 'types', 'hookTranslator']
      .map((part) => `${hooks}/${part}`)
      .concat('dist/src/utils/debugLogger'),
  );
  const registry = new HookRegistry({});
  const handlers = ten(
    kind,
    ['input'],
    (n) => `if (input.tool_input.command === 'no ${n}') return { decision: 'deny', reason: 'no' };`,
  );
  for (const [n, action] of handlers.entries())
    registry.registerHook({ type: 'runtime', name: `h${n}`, action }, 'BeforeTool', {
      matcher: 'run_shell_command',
    });
  const [planner, runner, aggregator] = [
    new HookPlanner(registry),
    new Runner({ isTrustedFolder: () => true }),
    new HookAggregator(),
  ];
  const fire = async (command) => {
    const plan = planner.createExecutionPlan('BeforeTool', { toolName: 'run_shell_command' });
    const results = await runner.executeHooksParallel(plan.hookConfigs, 'BeforeTool', {
      session_id: 's',
      transcript_path: '',
      cwd: '/',
      hook_event_name: 'BeforeTool',
      timestamp: new Date().toISOString(),
      tool_name: 'run_shell_command',
      tool_input: { command },
    });
    return aggregator.aggregateResults(results, 'BeforeTool');
  };
  return await tried(fire, ({ finalOutput }) => finalOutput?.decision === 'deny');
}
