/** Puts back what calls changed: chooses the calls, makes the plan, and applies it as a call of the user that can be undone too. */

import { readFileSync } from 'node:fs';
import { bytePath, diskPath, shownPath } from './byte-path.ts';
import { DiskState } from './disk-state.ts';
import { mergedText } from './merge.ts';
import { type PlanItem, planOf } from './plan.ts';
import type { UndoRecord } from './records.ts';
import { Restore, type Restored, type RestoreFailure } from './restore.ts';
import type { UndoStore } from './store.ts';
import type { FileEntry, State } from './tree.ts';

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
  const items = planOf(records, { readTree, now: new DiskState().at, present });
  return items
    .filter(({ path }) => only.length === 0 || only.some((one) => path === one || path.startsWith(`${one}/`)))
    .map((item) => withMerge(store, item));
}

function withMerge(store: UndoStore, item: PlanItem): PlannedItem {
  const { kind, now, left, wanted, root, path } = item;
  if (kind !== 'conflict' || now?.kind !== 'file' || left?.kind !== 'file' || wanted?.kind !== 'file')
    return item;
  const { objects } = store;
  const merged = mergedText({
    now: readFileSync(diskPath(`${root}/${path}`)),
    left: objects.read(left.hash),
    wanted: objects.read(wanted.hash),
  });
  return merged === undefined ? item : { ...item, merged };
}

export interface UndoResult {
  readonly record: UndoRecord;
  readonly restored: readonly Restored[];
  /** Conflicts that were skipped, and paths whose content was never stored. */
  readonly skipped: readonly PlannedItem[];
  readonly failures: readonly RestoreFailure[];
}

/** The plan is made again under the lock, so a file that changed while the user was asked is a conflict. */
export function undo(
  store: UndoStore,
  records: readonly UndoRecord[],
  { only = [], onConflict = 'skip', who }: { only?: readonly string[]; onConflict?: OnConflict; who: string },
): Promise<UndoResult> {
  return store.locked(async () => {
    for (const record of store.records.open()) if (record.kind === 'undo') await store.endLocked(record); // it was killed
    const record = await store.beginLocked({
      kind: 'undo',
      agent: 'anyhook',
      session: 'undo',
      tool: 'undo',
      what: who,
      outside: outsideOf(store, records),
    });
    const plan = await planLocked(store, records, only);
    const restored = plan.flatMap((item) => restoredItem(item, onConflict) ?? []);
    const restore = new Restore((hash) => store.objects.read(hash));
    restore.run(restored);
    const closed = await store.endLocked(record);
    const skipped = plan.filter(
      (item) => item.kind !== 'already' && restoredItem(item, onConflict) === undefined,
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

function restoredItem(item: PlannedItem, onConflict: OnConflict): Restored | undefined {
  const { root, path, kind, now, wanted, merged } = item;
  if (kind === 'restore') return { root, path, now, wanted };
  if (kind !== 'conflict' || onConflict === 'skip') return undefined;
  if (onConflict === 'restore') return { root, path, now, wanted };
  return merged && { root, path, now, wanted: asFile(now, merged), content: merged };
}
const asFile = (now: State, merged: Buffer): FileEntry => ({
  kind: 'file',
  mode: now?.kind === 'file' ? now.mode : 0o644,
  size: merged.length,
  hash: '',
});

/** A path as the user typed it, as a byte path below the project; undefined if it is outside. */
export function pathBelow(store: UndoStore, absolute: string): string | undefined {
  const path = bytePath(absolute);
  return path.startsWith(`${store.root}/`) ? path.slice(store.root.length + 1) : undefined;
}
export const placeOf = (store: UndoStore, { root, path }: { root: string; path: string }): string =>
  shownPath(root === store.root ? path : `${root}/${path}`);
