/** Converts loaded modules to hooks of the engine, next to hooks of other dialects, with one outcome and one record. */

import type { Hook, Layer } from '../../../events/hook.ts';
import type { Services } from '../../../events/services.ts';
import type { RunningCall } from '../../../runners/call.ts';
import { LONGEST_TIMER_MS } from '../../../runners/deadline.ts';
import { hookFromHandler } from '../dialect/definition.ts';
import { bindHost } from './bind-host.ts';
import { hookContext, type RunnerScene } from './hook-context.ts';
import { soundMs } from './hook-listener.ts';
import { timed } from './stopwatch.ts';
import type { HookContext, LoadedHook, StoredHandler } from './types/index.ts';
import { uiContext } from './ui-context.ts';

export interface EngineHooksOptions {
  readonly cwd: string;
  readonly services?: Services;
  readonly layer?: Layer;
  readonly model?: () => unknown;
  readonly modelRegistry?: unknown;
  /** Timeout for each handler, not counting the time that a dialog is open. */
  readonly timeoutMs?: number;
}

/** Creates the context of handlers and commands from the services of the host. */
export const sceneOf = ({
  cwd,
  services = {},
  model = () => undefined,
  modelRegistry,
}: EngineHooksOptions): RunnerScene => ({
  cwd,
  services,
  get ui() {
    return uiContext(services.ui); // a host may offer it later
  },
  model,
  modelRegistry,
});

/** In the order of modules, then of registration. Handlers of unknown events are omitted. */
export function engineHooks(loaded: readonly LoadedHook[], options: EngineHooksOptions): Hook[] {
  const { cwd, services = {}, layer = 'session' } = options;
  const scene = sceneOf(options);
  const timeoutMs = soundMs(options.timeoutMs);
  return loaded.flatMap((module) => {
    bindHost(module, services, cwd);
    return [...module.handlers].flatMap(([on, handlers]) =>
      handlers.flatMap((handler, index) => {
        const fn = called(handler, scene, `hook ${module.path}`);
        const origin = { layer, file: module.resolvedPath, line: 1 };
        const { isExtension = false } = module;
        return hookFromHandler({ on, nth: index + 1, origin, fn, timeoutMs, isExtension }) ?? [];
      }),
    );
  });
}

const SIGNALLED: ReadonlySet<string> = new Set(['session_before_compact', 'session_before_tree']);

/** The caller enforces the deadline, and is notified while the user is asked. */
function called(handler: StoredHandler, scene: RunnerScene, who: string) {
  return function run(
    this: Pick<RunningCall, 'signal'> & Partial<Pick<RunningCall, 'pause'>>,
    event: { readonly type: string },
  ): Promise<unknown> {
    const { signal } = this;
    const pause = () => this.pause?.() ?? (() => {});
    const shown = SIGNALLED.has(event.type) ? { ...event, signal } : event;
    // The handler is stored under the event with which it is called.
    const call = handler as (event: object, ctx: HookContext) => unknown;
    return timed(() => call(shown, hookContext(scene)), { timeoutMs: LONGEST_TIMER_MS, signal, who, pause });
  };
}
