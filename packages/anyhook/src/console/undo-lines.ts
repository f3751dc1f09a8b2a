/** Calls with snapshots, and the plan of an undo, as text and as JSON. */

import { localTime } from '../render/local-time.ts';
import { safe } from '../render/safe.ts';
import type { Screen } from '../render/screen.ts';
import { unifiedPatch } from '../settings/trust/diff.ts';
import { shownPath } from '../undo/byte-path.ts';
import { contentAt } from '../undo/disk-state.ts';
import type { UndoRecord } from '../undo/records.ts';
import type { LeftOut } from '../undo/scan.ts';
import type { UndoStore } from '../undo/store.ts';
import { changesBetween, type PathState } from '../undo/tree.ts';
import { type OnConflict, shownItemPath, type PlannedItem } from '../undo/undo.ts';

const MOST_DIFF_LINES = 60;
const MOST_DIFF_BYTES = 200_000;
/** Of all files together. The rest is named. */
const MOST_LINES = 400;
const MOST_LEFT_OUT = 10;

const WHY_LEFT: Readonly<Record<LeftOut['why'], string>> = {
  'too-large': 'larger than maxFileBytes',
  'bulky-folder': 'a large folder that a command can make again',
  unreadable: 'not readable',
  'special-file': 'not a regular file',
  skipped: 'skipped by your settings',
};

export function recordJson({
  id,
  kind,
  agent,
  session,
  turn,
  call,
  tool,
  what,
  at,
  endedAt,
  ...rest
}: UndoRecord) {
  return {
    id,
    kind,
    agent,
    session,
    turn,
    ...(call !== undefined && { call }),
    tool,
    what,
    at,
    ...(endedAt !== undefined && { endedAt }),
    snapshot: rest.areas[0]!.before,
    leftOut: rest.leftOut.map(({ path, why }) => ({ path: shownPath(path), why })),
    leftOutCount: rest.leftOutCount,
  };
}

export const itemJson = (store: UndoStore, item: PlannedItem) => ({
  path: shownItemPath(store, item),
  kind: item.kind,
  ...(item.why !== undefined && { why: item.why }),
  action: actionOf(item),
  ...(item.kind === 'conflict' && { mergeable: item.merged !== undefined }),
});

/** What an undo does to a path. */
function actionOf({ now, wanted, kind }: PlannedItem): 'remove' | 'create' | 'rewrite' | 'none' {
  if (kind === 'already' || kind === 'unknown') return 'none';
  if (wanted === undefined) return 'remove';
  return now === undefined ? 'create' : 'rewrite';
}

export function callLines(
  store: UndoStore,
  records: readonly UndoRecord[],
  { paint, width }: Screen,
): string[] {
  let turn = '';
  return records.flatMap((record) => {
    const { agent, session, turn: number, id, at, endedAt, what, kind } = record;
    const title = kind === 'undo' ? 'anyhook undo' : `${agent}, session ${session}, turn ${number}`;
    const heading = title === turn ? [] : [...(turn === '' ? [] : ['']), paint('cyan', safe(title))];
    turn = title;
    const counts = countsOf(store, record);
    const text = `  ${id}  ${localTime(Date.parse(at))}  ${counts.padEnd(9)} ${safe(what)}`;
    return [
      ...heading,
      text.slice(0, width),
      ...(endedAt === undefined ? [paint('yellow', '    still runs, or its end was not reported')] : []),
      ...leftOutLines(record),
    ];
  });
}

/** `+1 ~2 -3`: created, rewritten and removed files. */
function countsOf(store: UndoStore, { areas, next }: UndoRecord): string {
  const counts = { '+': 0, '~': 0, '-': 0 };
  for (const [at, { before, after = at === 0 ? next?.tree : '' }] of areas.entries())
    for (const change of after === undefined ? [] : changesBetween(before, after, store.objects.readTree)) {
      if (change.before?.kind === 'folder' || change.after?.kind === 'folder') continue;
      counts[change.before === undefined ? '+' : change.after === undefined ? '-' : '~'] += 1;
    }
  const shown = Object.entries(counts).flatMap(([sign, count]) => (count > 0 ? `${sign}${count}` : []));
  return shown.length === 0 ? 'nothing' : shown.join(' ');
}

const leftOutLines = ({ leftOut, leftOutCount }: UndoRecord): string[] =>
  leftOutCount === 0
    ? []
    : [
        ...leftOut
          .slice(0, MOST_LEFT_OUT)
          .map(({ path, why }) => `    left out: ${safe(shownPath(path))}, ${WHY_LEFT[why]}`),
        ...(leftOutCount > MOST_LEFT_OUT ? [`    left out: ${leftOutCount - MOST_LEFT_OUT} more`] : []),
      ];

interface PlanView {
  readonly store: UndoStore;
  readonly screen: Screen;
  readonly onConflict: OnConflict;
}

export function undoPlanLines(
  records: readonly UndoRecord[],
  plan: readonly PlannedItem[],
  { store, screen, onConflict }: PlanView,
): string[] {
  const { paint, width } = screen;
  const shown = plan.filter(({ kind }) => kind !== 'already');
  const lines = [
    ...records.map(({ agent, turn, at, what }) =>
      paint('cyan', safe(`${agent}, turn ${turn}, ${localTime(Date.parse(at))}: ${what}`).slice(0, width)),
    ),
    '',
  ];
  const diffs = shown.flatMap((item) => diffLines(store, item, screen));
  const isCut = diffs.length > MOST_LINES;
  return [
    ...lines,
    ...(isCut ? [...diffs.slice(0, MOST_LINES), `… ${diffs.length - MOST_LINES} lines more`] : diffs),
    ...(diffs.length > 0 ? [''] : []),
    ...shown.map((item) => itemLine(store, item, onConflict, screen)),
    '',
  ];
}

function itemLine(store: UndoStore, item: PlannedItem, onConflict: OnConflict, { paint }: Screen): string {
  const place = safe(shownItemPath(store, item));
  const { kind, why, merged } = item;
  if (kind === 'unknown')
    return paint('yellow', `  unknown   ${place}: its content was left out of the snapshot`);
  if (kind !== 'conflict') return `  ${actionOf(item).padEnd(9)} ${place}`;
  const reason =
    why === 'end-not-reported'
      ? 'may have been changed by you: no end of the call was reported'
      : 'was changed since';
  const way = onConflict === 'merge' && merged === undefined ? 'skip: the edits overlap' : onConflict;
  const more = onConflict === 'skip' && merged !== undefined ? '; --conflicts merge keeps both edits' : '';
  return paint('yellow', `  conflict  ${place}: ${reason} (${way}${more})`);
}

function diffLines(store: UndoStore, item: PlannedItem, { paint }: Screen): string[] {
  const { root, path, now, wanted, kind, merged } = item;
  if (kind === 'unknown') return [];
  const place = shownItemPath(store, item);
  const [from, to] = [
    textOf(now, () => contentAt(root, path)),
    textOf(wanted, (hash) => merged ?? store.objects.read(hash)),
  ];
  if (from === 'no-text' || to === 'no-text')
    return from === to || now?.kind === 'file' || wanted?.kind === 'file'
      ? [`${place}: not shown as text`]
      : [];
  if (from === to) return modeLines(place, now, wanted);
  const lines = unifiedPatch(place, from, to).trimEnd().split('\n');
  const cut =
    lines.length > MOST_DIFF_LINES
      ? [...lines.slice(0, MOST_DIFF_LINES), `… ${lines.length - MOST_DIFF_LINES} lines more`]
      : lines;
  return cut.map((line) =>
    /^\+(?!\+\+)/.test(line)
      ? paint('green', safe(line))
      : /^-(?!--)/.test(line)
        ? paint('red', safe(line))
        : safe(line),
  );
}

function modeLines(place: string, now: PathState, wanted: PathState): string[] {
  if (
    now === undefined ||
    wanted === undefined ||
    !('mode' in now) ||
    !('mode' in wanted) ||
    now.mode === wanted.mode
  )
    return [];
  return [`${place}: mode ${now.mode.toString(8)} becomes ${wanted.mode.toString(8)}`];
}

/** Null: there is nothing. */
function textOf(state: PathState, read: (hash: string) => Buffer): string | null | 'no-text' {
  if (state === undefined || state.kind === 'folder') return null;
  if (state.kind === 'link') return `link to ${shownPath(state.target)}\n`;
  if (state.kind === 'left-out' || state.size > MOST_DIFF_BYTES) return 'no-text';
  try {
    const bytes = read(state.hash);
    return bytes.includes(0) ? 'no-text' : bytes.toString('utf8');
  } catch {
    return 'no-text'; // damaged, or gone since; the restore reports it
  }
}
