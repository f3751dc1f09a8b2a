/** The session as event handlers may see it: read only, and empty where the host shows none. */
import type { Sessions } from '../../../events/services.ts';
import type { ReadonlySessionManager, SessionEntry } from './types/index.ts';

export function sessionView(session: Sessions | undefined, cwd: string): ReadonlySessionManager {
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
    ) as unknown as ReadonlySessionManager, // the same names, each the host's or ours
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
