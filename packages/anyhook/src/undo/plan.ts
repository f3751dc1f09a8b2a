/**
 * What an undo would do to each path. Every call is a window with a state before and after it. Going back through the windows turns the
 * present state into the wanted one; where the present state is not what a window left, somebody else changed the path: a conflict.
 */

import type { Area, UndoRecord } from './records.ts';
import {
  type PathChange,
  changesBetween,
  type TreeEntries,
  isSameState,
  type PathState,
  stateAt,
} from './tree.ts';

/** `already`: nothing to do. `unknown`: the content was left out of a snapshot. */
export type ItemKind = 'restore' | 'already' | 'conflict' | 'unknown';

export interface PlanItem {
  readonly root: string;
  /** A byte path below the root. */
  readonly path: string;
  readonly kind: ItemKind;
  readonly now: PathState;
  /** The state before the calls. */
  readonly wanted: PathState;
  /** For a conflict: what the call left, and what was there before it. */
  readonly left?: PathState;
  /** For a conflict: as far as the later calls can be undone. Often what is there now. */
  readonly until?: PathState;
  readonly why?: 'changed-since' | 'end-not-reported';
}

interface Window {
  readonly at: string;
  readonly endedAt: string;
  readonly before: PathState;
  readonly after: PathState;
  readonly isReported: boolean;
  readonly isUndo: boolean;
}

export interface PlanSources {
  readonly readTree: (hash: string) => TreeEntries;
  /** The present state of a path. */
  readonly now: (root: string, path: string) => PathState;
  /** A snapshot of now, for calls whose end was never reported. */
  readonly present: string;
}

/** `records`: the calls, and every undo after the first of them. */
export function undoPlan(records: readonly UndoRecord[], sources: PlanSources): readonly PlanItem[] {
  const found = new Map<string, { root: string; path: string; windows: Window[] }>();
  const add = (root: string, path: string, window: Window): void => {
    const key = `${root}\0${path}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { root, path, windows: [window] });
    else known.windows.push(window);
  };
  for (const record of records.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const times = { at: record.at, endedAt: record.endedAt ?? record.next?.at ?? NOT_ENDED };
    if (record.kind === 'undo')
      for (const { root, path, before, after } of record.intended ?? [])
        add(root, path, { ...times, before, after, isReported: true, isUndo: true });
    else
      for (const [at, area] of record.areas.entries())
        for (const { path, ...states } of changesIn(area, at === 0 ? record : undefined, sources)) {
          const isReported = at > 0 || (area.after !== undefined && record.isEndAssumed !== true);
          add(area.root, path, { ...times, ...states, isReported, isUndo: false });
        }
  }
  return [...found.values()].map(({ root, path, windows }) => {
    const all = [...windows, ...glimpses(records, root, path, windows, sources)];
    return itemOf(root, path, withoutOverlaps(all.toSorted(byTime)), sources.now(root, path));
  });
}

/**
 * What calls saw of a path that they did not change. If it differs from what an earlier call left, the user changed the path, even if it
 * is the same again now.
 */
function* glimpses(
  records: readonly UndoRecord[],
  root: string,
  path: string,
  windows: readonly Window[],
  { readTree }: PlanSources,
): Generator<Window> {
  const known = new Set(windows.map(({ at }) => at));
  const [first] = windows;
  for (const { kind, at, areas } of records) {
    const [project] = areas;
    const isEarlier = first === undefined || at <= first.at;
    if (
      kind === 'undo' ||
      isEarlier ||
      known.has(at) ||
      project?.root !== root ||
      project.paths !== undefined
    )
      continue;
    const seen = stateAt(project.before, path, readTree);
    yield { at, endedAt: at, before: seen, after: seen, isReported: true, isUndo: false };
  }
}
const byTime = (a: Window, b: Window): number => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);

/** What was taken away outside the project is gone, whether the end was reported or not. */
function* changesIn(
  { before, after, paths }: Area,
  project: UndoRecord | undefined,
  { readTree, present }: PlanSources,
): Generator<PathChange> {
  const end = after ?? (project === undefined ? '' : (project.next?.tree ?? present));
  for (const change of changesBetween(before, end, readTree))
    if (paths === undefined || paths.some((one) => isWithin(change.path, one))) yield change;
}

/** Later than any time. */
const NOT_ENDED = '9';

const isWithin = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

/** Calls that ran at the same time are one window, because nobody knows which of them changed the path. */
function withoutOverlaps(windows: readonly Window[]): readonly Window[] {
  const merged: Window[] = [];
  for (const window of windows) {
    const last = merged.at(-1);
    if (last === undefined || window.isUndo || last.isUndo || window.at >= last.endedAt) merged.push(window);
    else {
      const later = window.endedAt >= last.endedAt ? window : last;
      merged[merged.length - 1] = {
        at: last.at,
        before: last.before,
        endedAt: later.endedAt,
        after: later.after,
        isReported: last.isReported && window.isReported,
        isUndo: false,
      };
    }
  }
  return merged;
}

function itemOf(root: string, path: string, windows: readonly Window[], now: PathState): PlanItem {
  const done = (state: PathState): PlanItem => ({
    root,
    path,
    kind: isSameState(state, now) ? 'already' : 'restore',
    now,
    wanted: state,
  });
  let state = now;
  for (const window of windows.toReversed()) {
    const { before, after, isReported, isUndo } = window;
    if (before?.kind === 'left-out') return { root, path, kind: 'unknown', now, wanted: before };
    const isEnd = isSameContent(state, after);
    if (isEnd && isReported) state = withMode(before, state, after);
    // An undo that was killed did not reach the path.
    else if (isUndo && isSameState(state, before)) continue;
    // The user has put it back, and earlier calls are theirs to decide.
    else if (!isEnd && isSameContent(state, before)) return done(state);
    else
      return {
        root,
        path,
        kind: 'conflict',
        now,
        wanted: windows[0]!.before,
        // Only the first change can be merged away without the others.
        ...(window === windows[0] && { left: after }),
        until: state,
        why: isEnd ? 'end-not-reported' : 'changed-since',
      };
  }
  return done(state);
}

/** Modes are no content: a mode that the user changed stays. */
function isSameContent(a: PathState, b: PathState): boolean {
  if (a?.kind === 'file' && b?.kind === 'file') return a.hash === b.hash;
  if (a?.kind === 'folder' && b?.kind === 'folder') return true;
  return isSameState(a, b);
}
function withMode(before: PathState, state: PathState, after: PathState): PathState {
  if (before?.kind !== 'file' && before?.kind !== 'folder') return before;
  if (after?.kind !== before.kind || state?.kind !== before.kind) return before;
  return state.mode === after.mode ? before : { ...before, mode: state.mode };
}
