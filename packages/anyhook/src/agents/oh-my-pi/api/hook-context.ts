/** What handlers and commands are given besides the event, made from the host's services or their documented absence. */
import type { Services } from '../../../events/services.ts';
import { COMMANDS_BEYOND, CONTEXT_BEYOND } from './context-beyond.ts';
import { sessionView } from './session-view.ts';
import type { HookCommandContext, HookContext, HookUIContext } from './types/index.ts';

export interface RunnerScene {
  readonly cwd: string;
  readonly services: Services;
  readonly ui: HookUIContext;
  readonly model: () => unknown;
  readonly modelRegistry: unknown;
}

export function hookContext({ cwd, services, ui, model, modelRegistry }: RunnerScene): HookContext {
  const { session } = services;
  return {
    ...CONTEXT_BEYOND,
    ui,
    hasUI: services.ui !== undefined,
    cwd,
    sessionManager: sessionView(session, cwd),
    modelRegistry,
    model: model(),
    isIdle: () => session?.isIdle?.() ?? true,
    abort: () => session?.abort?.(),
    hasQueuedMessages: () => session?.hasQueued?.() ?? false,
    hasPendingMessages: () => session?.hasQueued?.() ?? false,
  } as HookContext;
}

export function commandContext(scene: RunnerScene): HookCommandContext {
  const { session } = scene.services;
  const act = async (what: 'new' | 'branch' | 'navigate', how: Record<string, unknown>) => {
    const { cancelled } = (await session?.act?.(what, how)) ?? { cancelled: false };
    return { cancelled };
  };
  return {
    ...COMMANDS_BEYOND,
    ...hookContext(scene),
    waitForIdle: async () => void (await session?.waitForIdle?.()),
    newSession: (options = {}) => act('new', { ...options }),
    branch: (entryId) => act('branch', { entryId }),
    navigateTree: (targetId, options = {}) => act('navigate', { targetId, ...options }),
  };
}
