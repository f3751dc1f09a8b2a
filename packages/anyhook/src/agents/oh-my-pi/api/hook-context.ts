/** Creates the context of handlers and commands from the host's services, or their documented defaults. */

import type { Services, Sessions } from '../../../events/services.ts';
import { COMMANDS_BEYOND, CONTEXT_BEYOND } from './context-beyond.ts';
import type {
  HookCommandContext,
  HookContext,
  HookUIContext,
  ReadonlySessionManager,
  SessionEntry,
} from './types/index.ts';

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

/** The session for event handlers: read only, and empty if the host has none. */
function sessionView(session: Sessions | undefined, cwd: string): ReadonlySessionManager {
  const entries = (): SessionEntry[] => [...((session?.entries() ?? []) as readonly SessionEntry[])];
  const byId = (id: string | null | undefined) => entries().find((entry) => entry.id === id);
  const plain: ReadonlySessionManager = {
    getCwd: () => cwd,
    getSessionDir: () => '',
    getSessionId: () => '',
    getSessionFile: () => undefined,
    getLeafId: () => entries().at(-1)?.id ?? null,
    getLeafEntry: () => entries().at(-1),
    getEntry: byId,
    getLabel: () => undefined,
    getBranch: (from) => branchOf(entries(), from),
    getHeader: () => null,
    getEntries: entries,
    getTree: () => [],
    getUsageStatistics: () => ({}),
  };
  const view = session?.view?.() as Partial<ReadonlySessionManager> | undefined;
  if (typeof view !== 'object' || view === null) return Object.freeze(plain);
  return Object.freeze(
    Object.fromEntries(
      Object.entries(plain).map(([name, own]) => {
        const theirs = view[name as keyof ReadonlySessionManager];
        return [name, typeof theirs === 'function' ? theirs.bind(view) : own];
      }),
    ) as unknown as ReadonlySessionManager, // the same names, from the host or our defaults
  );
}

/** From the root to the entry. */
function branchOf(entries: readonly SessionEntry[], from = entries.at(-1)?.id): SessionEntry[] {
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  const branch: SessionEntry[] = [];
  for (let at = known.get(from ?? ''); at !== undefined; at = known.get(at.parentId ?? '')) {
    if (branch.includes(at)) break;
    branch.unshift(at);
  }
  return branch;
}
