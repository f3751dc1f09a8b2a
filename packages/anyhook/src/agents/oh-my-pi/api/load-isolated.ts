/**
 * Loads a module in its own process and returns it as a loaded hook. Handlers, commands and renderers are called there.
 */

import { homedir } from 'node:os';
import type { Fields } from '../../../events/effects.ts';
import type { Reply } from '../../../events/exchange.ts';
import type { Problem } from '../../../events/problems.ts';
import { NEVER } from '../../../events/signal.ts';
import { type IsolatedModule, isolateModule } from '../../../modules/isolate.ts';
import { type ForeignModule, loaderUrl } from '../../../modules/loader.ts';
import { ohMyPi } from '../dialect/index.ts';
import type { LoadHooksOptions, Warn } from './load.ts';
import { resolvePath } from './resolve-path.ts';
import { currentWatch } from './stopwatch.ts';
import type { Component, HookLoadError, LoadedHook, RegisteredTool, StoredHandler } from './types/index.ts';

export async function loadIsolated(
  path: string,
  cwd: string,
  warn: Warn,
  { home = homedir(), timeoutMs = 30_000 }: LoadHooksOptions,
): Promise<LoadedHook | HookLoadError> {
  const file = resolvePath(path, cwd, home);
  const module: ForeignModule = { file, shown: file, layer: 'session', asker: { file, line: 1 } };
  const loaded = await isolateModule(module, {
    cwd,
    home,
    env: process.env,
    services: {},
    deadlineMs: timeoutMs,
    dialect: ohMyPi,
    loader: loaderUrl('oh-my-pi'),
    key: file,
  });
  const failed = loaded.problems.find(({ severity }) => severity === 'error');
  if (failed !== undefined || loaded.description === undefined) {
    loaded.close();
    return { path, error: failed?.message ?? 'it failed to load', ...placeOf(failed) };
  }
  for (const problem of loaded.problems) warn(problem.message, placeOf(problem));
  return hookOver(path, file, loaded);
}

const placeOf = ({ line, column }: Pick<Problem, 'line' | 'column'> = {}) => ({
  ...(line !== undefined && { line }),
  ...(column !== undefined && { column }),
});

function hookOver(path: string, file: string, loaded: IsolatedModule): LoadedHook {
  const described = loaded.description!;
  const handlers = new Map<string, StoredHandler[]>();
  for (const [index, { on, extra }] of described.hooks.entries()) {
    const handler = handlerOver(index, loaded, extra?.['extension'] === true);
    handlers.set(on, [...(handlers.get(on) ?? []), handler]);
  }
  return {
    path,
    resolvedPath: file,
    handlers,
    commands: new Map(
      described.commands.map(({ name, description }, at) => [
        name,
        {
          name,
          ...(description !== undefined && { description }),
          handler: async (args) => await loaded.offers.commands[at]?.run(args),
        },
      ]),
    ),
    tools: new Map(
      described.tools.map(({ name, description, parameters }, index) => [
        name,
        { name, description, parameters, execute: toolOver(index, loaded) },
      ]),
    ),
    flags: new Map(), // read in the module's process, which has the defaults
    shortcuts: new Map(),
    providers: new Set(),
    messageRenderers: new Map(
      described.renderers.map(({ type }, at) => [
        type,
        (message, { expanded }) =>
          drawn(async (width) => loaded.offers.renderers[at]?.render({ ...message }, { width, expanded })),
      ]),
    ),
    ...(described.hooks.some(({ extra }) => extra?.['extension'] === true) && { isExtension: true }),
    setSendMessageHandler() {}, // the module's process has the services
    setAppendEntryHandler() {},
    setHost: ({ services = {} }) => loaded.bind(services),
    close: () => loaded.close(),
  };
}

const toolOver =
  (index: number, { offers }: IsolatedModule): RegisteredTool['execute'] =>
  async (call, params, signal = NEVER) => {
    const scene = { session: '', call, cwd: process.cwd(), signal };
    const { output, metadata } = await offers.tools[index]!.execute(params as Fields, scene);
    return { content: [{ type: 'text', text: output }], details: metadata };
  };

function handlerOver(index: number, { opened }: IsolatedModule, isExtension: boolean): StoredHandler {
  return (async (event: Record<string, unknown>) => {
    const watch = currentWatch();
    const { signal: _, ...plain } = event; // the module's process creates its own
    if (opened === undefined) throw new Error('its process could not be started');
    const reply = await opened.run(index, [plain], {
      timeoutMs: Infinity,
      signal: watch?.signal ?? NEVER,
      ...(watch && { pause: () => watch.pause() }),
    });
    const [left] = 'args' in reply ? reply.args : [];
    if (isExtension && left !== undefined) Object.assign(event, { input: (left as typeof event)['input'] });
    return answerOf(reply);
  }) as StoredHandler; // stored under the event with which it is called
}

function answerOf(reply: Reply): unknown {
  if (reply.kind === 'returned') return reply.value;
  if (reply.kind === 'threw') throw new Error(reply.message);
  throw new Error(reply.kind === 'broken' ? (reply.why.detail ?? reply.why.kind) : `a ${reply.kind} reply`);
}

/** Lines are requested from the module's process. Until they arrive, the previous ones are shown. */
function drawn(draw: (width: number) => Promise<readonly string[] | undefined>): Component {
  let [lines, known] = [[] as string[], -1];
  return {
    render(width) {
      if (width !== known) {
        known = width;
        draw(width).then(
          (made) => void (lines = [...(made ?? [])]),
          () => void (known = -1),
        );
      }
      return lines;
    },
    invalidate: () => void (known = -1),
  };
}
