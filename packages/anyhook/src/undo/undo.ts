/** Puts back what calls changed: chooses the calls, makes the plan, and applies it as a call of the user that can be undone too. */

import { createHash } from 'node:crypto';
import { bytePath, shownPath } from './byte-path.ts';
import { contentAt, DiskState } from './disk-state.ts';
import { mergedText } from './merge.ts';
import { type PlanItem, undoPlan } from './plan.ts';
import type { UndoRecord } from './records.ts';
import { Restore, type RestoreItem, type RestoreFailure } from './restore.ts';
import type { UndoStore } from './store.ts';
import { type FileEntry, isSameState, type PathState } from './tree.ts';

export type UndoRange =
  | { readonly kind: 'call'; readonly id: string }
  | { readonly kind: 'turn'; readonly session?: string; readonly turn?: number }
  | { readonly kind: 'session'; readonly session?: string }
  | { readonly kind: 'since'; readonly at: string };

/** What happens to a path that somebody changed afterwards. A merge that is not possible is skipped. */
export const ON_CONFLICT = ['skip', 'merge', 'restore'] as const;
export type OnConflict = (typeof ON_CONFLICT)[number];

const isCall = ({ kind }: UndoRecord): boolean => kind === 'call';

/** A call that still runs may have changed something. */
export const hasChanged = ({ areas, next }: UndoRecord): boolean =>
  areas.some(({ before, after }, at) => before !== (after ?? (at === 0 ? next?.tree : '')));

/** The calls of a range, oldest first. Without a session: that of the last call. */
export function recordsIn(records: readonly UndoRecord[], range: UndoRange): readonly UndoRecord[] {
  if (range.kind === 'call') return records.filter(({ id, call }) => id === range.id || call === range.id);
  const calls = records.filter((record) => isCall(record) && hasChanged(record));
  if (range.kind === 'since') return calls.filter(({ at, endedAt }) => (endedAt ?? at) >= range.at);
  const session = range.session ?? calls.at(-1)?.session;
  const own = calls.filter((record) => record.session === session);
  if (range.kind === 'session') return own;
  const turn = range.turn ?? own.at(-1)?.turn;
  return own.filter((record) => record.turn === turn);
}

export interface PlannedItem extends PlanItem {
  /** For a conflict: the text without the change of the call. */
  readonly merged?: Buffer;
}

/** `only`: byte paths below the project, or folders there. Takes a snapshot only if the end of a call was not reported. */
export async function planUndo(
  store: UndoStore,
  records: readonly UndoRecord[],
  only: readonly string[] = [],
): Promise<readonly PlannedItem[]> {
  return store.locked(() => planLocked(store, records, only));
}

async function planLocked(
  store: UndoStore,
  records: readonly UndoRecord[],
  only: readonly string[],
): Promise<readonly PlannedItem[]> {
  const { readTree } = store.objects;
  const isOpen = records.some(({ areas, next }) => (areas[0]!.after ?? next) === undefined);
  const present = isOpen ? (await store.lookLocked()).tree : '';
  const [first] = records;
  const undone = store.records
    .all()
    .filter(({ id, kind }) => kind === 'undo' && first !== undefined && id > first.id);
  const relevant = [...new Map([...records, ...undone].map((record) => [record.id, record])).values()];
  const items = undoPlan(relevant, { readTree, now: new DiskState().at, present });
  return items
    .filter((item) => only.length === 0 || only.some((one) => isNamed(item, one)))
    .map((item) => withMerge(store, item));
}

/** A folder that is needed for a named path is put back too. */
const isNamed = ({ path, wanted }: PlanItem, named: string): boolean =>
  path === named ||
  path.startsWith(`${named}/`) ||
  (wanted?.kind === 'folder' && named.startsWith(`${path}/`));

function withMerge(store: UndoStore, item: PlanItem): PlannedItem {
  const { kind, now, left, wanted, until, root, path } = item;
  if (kind !== 'conflict' || until?.kind !== 'file' || left?.kind !== 'file' || wanted?.kind !== 'file')
    return item;
  const { objects } = store;
  const merged = mergedText({
    now: isSameState(until, now) ? contentAt(root, path) : objects.read(until.hash),
    left: objects.read(left.hash),
    wanted: objects.read(wanted.hash),
  });
  return merged === undefined ? item : { ...item, merged };
}

export interface UndoResult {
  readonly record: UndoRecord;
  readonly restored: readonly RestoreItem[];
  /** Conflicts that were skipped, and paths whose content was never stored. */
  readonly skipped: readonly PlannedItem[];
  readonly failures: readonly RestoreFailure[];
}

/** The plan is made again under the lock, so a file that changed while the user was asked is a conflict. */
export function applyUndo(
  store: UndoStore,
  records: readonly UndoRecord[],
  { only = [], onConflict = 'skip', who }: { only?: readonly string[]; onConflict?: OnConflict; who: string },
): Promise<UndoResult> {
  return store.locked(async () => {
    const begun = await store.beginLocked({
      kind: 'undo',
      agent: 'anyhook',
      session: 'undo',
      tool: 'undo',
      what: who,
      outside: outsideOf(store, records),
    });
    const plan = await planLocked(store, records, only);
    const restored = plan.flatMap((item) => restoredItem(item, onConflict) ?? []);
    const intended = restored.map(({ root, path, now, wanted }) => ({
      root,
      path,
      before: now,
      after: wanted,
    }));
    const undid = restored.length === 0 ? [] : records.map(({ id }) => id);
    const record = { ...begun, intended, undid };
    store.records.begin(record);
    const restore = new Restore((hash) => store.objects.read(hash));
    restore.removeUnfinished(plan);
    restore.run(restored);
    const closed = await store.endLocked(record);
    const skipped = plan.filter(
      ({ kind, merged }) =>
        kind === 'unknown' ||
        (kind === 'conflict' && (onConflict === 'skip' || (onConflict === 'merge' && merged === undefined))),
    );
    return { record: closed, restored, skipped, failures: restore.failures };
  });
}

const outsideOf = (store: UndoStore, records: readonly UndoRecord[]): readonly string[] => [
  ...new Set(
    records.flatMap(({ areas }) =>
      areas.filter(({ root }) => root !== store.root).map(({ root, paths }) => `${root}/${paths?.[0] ?? ''}`),
    ),
  ),
];

/** What becomes of a path; undefined: nothing. */
export function restoredItem(item: PlannedItem, onConflict: OnConflict): RestoreItem | undefined {
  const { root, path, kind, now, wanted, merged, until } = item;
  const place = { root, path, now };
  if (kind === 'restore' || (kind === 'conflict' && onConflict === 'restore')) return { ...place, wanted };
  if (kind !== 'conflict') return undefined;
  if (onConflict === 'merge' && merged !== undefined)
    return { ...place, wanted: asFile(until, merged), content: merged };
  return isSameState(until, now) ? undefined : { ...place, wanted: until };
}
const asFile = (now: PathState, merged: Buffer): FileEntry => ({
  kind: 'file',
  mode: now?.kind === 'file' ? now.mode : 0o644,
  size: merged.length,
  hash: createHash('sha256').update(merged).digest('hex'),
});

/** A path as the user typed it, as a byte path below the project; undefined if it is outside. */
export function pathBelow(store: UndoStore, absolute: string): string | undefined {
  const path = bytePath(absolute);
  return path.startsWith(`${store.root}/`) ? path.slice(store.root.length + 1) : undefined;
}
export const shownItemPath = (store: UndoStore, { root, path }: { root: string; path: string }): string =>
  shownPath(root === store.root ? path : `${root}/${path}`);
