/**
 * What an undo would do to each path. Every call is a window with a state before and after it. Going back through the windows turns the
 * present state into the wanted one; where the present state is not what a window left, somebody else changed the path: a conflict.
 */

import type { UndoRecord } from './records.ts';
import { changesBetween, type Entries, isSameState, type State } from './tree.ts';

/** `already`: nothing to do. `unknown`: the content was left out of a snapshot. */
export type ItemKind = 'restore' | 'already' | 'conflict' | 'unknown';

export interface PlanItem {
  readonly root: string;
  /** A byte path below the root. */
  readonly path: string;
  readonly kind: ItemKind;
  readonly now: State;
  /** The state before the calls. */
  readonly wanted: State;
  /** For a conflict: what the call left, and what was there before it. */
  readonly left?: State;
  readonly why?: 'changed-since' | 'end-not-reported';
}

interface Window {
  readonly at: string;
  readonly endedAt: string;
  readonly before: State;
  readonly after: State;
  readonly isReported: boolean;
}

export interface PlanSources {
  readonly readTree: (hash: string) => Entries;
  /** The present state of a path. */
  readonly now: (root: string, path: string) => State;
  /** A snapshot of now, for calls whose end was never reported. */
  readonly present: string;
}

export function planOf(records: readonly UndoRecord[], sources: PlanSources): readonly PlanItem[] {
  const windows = new Map<string, { root: string; path: string; windows: Window[] }>();
  for (const record of records.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const { mayNotRun = false, isEndAssumed = false } = record;
    for (const [at, area] of record.areas.entries()) {
      // What was taken away outside the project is gone, whether the end was reported or not.
      const known = area.after ?? (at === 0 ? record.next?.tree : '');
      const isReported = known !== undefined && !(mayNotRun && (isEndAssumed || area.after === undefined));
      const after = known ?? sources.present;
      for (const { path, ...states } of changesBetween(area.before, after, sources.readTree)) {
        if (area.paths !== undefined && !area.paths.some((one) => isWithin(path, one))) continue;
        const key = `${area.root}\0${path}`;
        const found = windows.get(key) ?? { root: area.root, path, windows: [] };
        const endedAt = record.endedAt ?? record.next?.at ?? NOT_ENDED;
        found.windows.push({ ...states, at: record.at, endedAt, isReported });
        windows.set(key, found);
      }
    }
  }
  return [...windows.values()].map(({ root, path, windows: found }) =>
    itemOf(root, path, withoutOverlaps(found), sources.now(root, path)),
  );
}

/** Later than any time. */
const NOT_ENDED = '9';

const isWithin = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

/** Calls that ran at the same time are one window, because nobody knows which of them changed the path. */
function withoutOverlaps(windows: readonly Window[]): readonly Window[] {
  const merged: Window[] = [];
  for (const window of windows) {
    const last = merged.at(-1);
    if (last === undefined || window.at >= last.endedAt) merged.push(window);
    else {
      const later = window.endedAt >= last.endedAt ? window : last;
      merged[merged.length - 1] = {
        at: last.at,
        before: last.before,
        endedAt: later.endedAt,
        after: later.after,
        isReported: last.isReported && window.isReported,
      };
    }
  }
  return merged;
}

function itemOf(root: string, path: string, windows: readonly Window[], now: State): PlanItem {
  let state = now;
  for (const window of windows.toReversed()) {
    const { before, after, isReported } = window;
    if (before?.kind === 'left-out') return { root, path, kind: 'unknown', now, wanted: before };
    const isEnd = isSameContent(state, after);
    if (isEnd && isReported) state = withMode(before, state, after);
    else if (isSameContent(state, before)) continue;
    else
      return {
        root,
        path,
        kind: 'conflict',
        now,
        wanted: before,
        left: after,
        why: isEnd ? 'end-not-reported' : 'changed-since',
      };
  }
  return { root, path, kind: isSameState(state, now) ? 'already' : 'restore', now, wanted: state };
}

/** Modes are no content: a mode that the user changed stays. */
function isSameContent(a: State, b: State): boolean {
  if (a?.kind === 'file' && b?.kind === 'file') return a.hash === b.hash;
  if (a?.kind === 'folder' && b?.kind === 'folder') return true;
  return isSameState(a, b);
}
function withMode(before: State, state: State, after: State): State {
  if (before?.kind !== 'file' && before?.kind !== 'folder') return before;
  if (after?.kind !== before.kind || state?.kind !== before.kind) return before;
  return state.mode === after.mode ? before : { ...before, mode: state.mode };
}
