/** One event in `anyhook log`: when, what came of it, agent, tool and target; then who decided and why. */

import { took } from '../events/took.mjs';
import { isStricter } from '../events/would-have.ts';
import { recordedText, type ReadRecord } from '../journal/index.ts';
import type { Style } from './paint.ts';
import { subjectIn } from './record-lines.ts';
import { brief, safe, widthOf } from './safe.ts';
import { type Screen, shortPath } from './screen.ts';
import { wrap } from './wrap.ts';

export interface LogView {
  readonly screen: Screen;
  readonly nowMs: number;
  /** Absolute times and whole texts, for files and pipes. */
  readonly isWhole: boolean;
}

const COLUMNS = { when: 10, outcome: 15, agent: 12 } as const;
const INDENT = '    ';
/** About so many lines of a long reason are shown on a terminal. */
const DETAIL_LINES = 2;

export function logLines(record: ReadRecord, view: LogView): string[] {
  const { screen, isWhole } = view;
  const { paint, width } = screen;
  const outcome = outcomeOfRecord(record);
  const when = isWhole ? absoluteTime(record.at) : relativeTime(record.at, view.nowMs);
  const head = [
    paint('dim', when.padEnd(isWhole ? 19 : COLUMNS.when)),
    paint(outcome.style, outcome.text.padEnd(COLUMNS.outcome)),
    safe(record.host.name).padEnd(COLUMNS.agent),
  ];
  const used = (isWhole ? 19 : COLUMNS.when) + COLUMNS.outcome + COLUMNS.agent + 6;
  const room = isWhole ? Infinity : Math.max(24, width - used);
  return [
    [...head, shorten(targetOf(record), room)].join('  ').trimEnd(),
    ...detailLines(record, screen).flatMap((text) =>
      isWhole
        ? [`${INDENT}${safe(text)}`]
        : wrap(`${INDENT}${shorten(text, DETAIL_LINES * (width - INDENT.length))}`, width, INDENT),
    ),
  ];
}

const shorten = (text: string, room: number): string =>
  room === Infinity || widthOf(text) <= room ? safe(text) : brief(text, room);

/** The tool and what it works on; for other events their name and subject. */
function targetOf(record: ReadRecord): string {
  const subject = subjectIn(record);
  if (record.event === 'tool.before') return subject;
  return subject === '' ? record.event : `${record.event}  ${subject}`;
}

interface OutcomeText {
  readonly text: string;
  readonly style: Style;
}

const VERDICTS: Readonly<Record<ReadRecord['verdict'], OutcomeText | null>> = {
  deny: { text: 'refused', style: 'red' },
  ask: { text: 'asked', style: 'yellow' },
  defer: { text: 'deferred', style: 'yellow' },
  allow: { text: 'approved', style: 'green' },
  none: null,
};
const FLOW = { halt: 'halted', cancel: 'cancelled', resume: 'resumed', retry: 'retried' } as const;

/** Everything that hooks brought about, the weightiest first. */
function outcomeOfRecord(record: ReadRecord): OutcomeText {
  const { verdict, flow, changed, said, given, lost, hooks, aborted, late, wouldHave } = record;
  const would = wouldHave !== undefined && isStricter(wouldHave, verdict);
  const flows = (Object.keys(FLOW) as (keyof typeof FLOW)[]).filter((kind) => flow[kind] !== undefined);
  const parts: (OutcomeText | null | false)[] = [
    aborted === true && { text: 'aborted', style: 'red' },
    VERDICTS[verdict],
    verdict !== 'allow' && isApproved(record) && { text: 'approved', style: 'green' },
    record.approval?.kind === 'waiting' && { text: 'waiting', style: 'yellow' },
    ...flows.map((kind): OutcomeText => ({ text: FLOW[kind], style: 'yellow' })),
    hooks.some(({ failedOpen }) => failedOpen === true) && { text: 'failed open', style: 'yellow' },
    changed.length > 0 && { text: 'changed', style: 'cyan' },
    said.some(({ to }) => to === 'model') && { text: 'context added', style: 'cyan' },
    given.length > 0 && { text: `${given[0]!.what} added`, style: 'cyan' },
    said.some(({ to }) => to === 'person') && { text: 'notice', style: 'cyan' },
    lost.length > 0 && { text: 'lost', style: 'yellow' },
    would && { text: 'would refuse', style: 'yellow' },
    record.paused === true && { text: 'paused', style: 'yellow' },
    late === true && { text: 'background', style: 'dim' },
  ];
  const found = parts.filter((part): part is OutcomeText => part !== null && part !== false);
  if (found.length === 0) return { text: 'passed', style: 'dim' };
  return { text: found.map(({ text }) => text).join(', '), style: found[0]!.style };
}

const isApproved = ({ approval }: ReadRecord): boolean =>
  approval?.kind === 'once' || approval?.kind === 'session';

/** Who answered the question of a hook, where, and after how long. */
export function approvalLine({ approval }: ReadRecord): string | undefined {
  if (approval === undefined) return undefined;
  const { kind, who, where, waitedMs, hash } = approval;
  const id = hash.slice(0, 8);
  const after = `after ${took(waitedMs)}`;
  if (kind === 'waiting') return `question ${id}: no answer ${after}; the call may be tried again`;
  const what = { once: 'approved once', session: 'approved for the session', refuse: 'refused' }[kind];
  return `question ${id}: ${what} by ${who ?? 'the user'} (${where ?? 'unknown'}) ${after}`;
}

function detailLines(record: ReadRecord, screen: Screen): string[] {
  const by = (id: string) => deciderName(record, id, screen);
  const answered = approvalLine(record);
  return [
    ...(answered === undefined ? [] : [answered]),
    ...record.reasons
      .filter(({ by: id }) => id !== 'anyhook:approvals' || record.approval?.kind === 'refuse')
      .map(({ by: id, text }) => `${by(id)}: ${recordedText(text)}`),
    ...Object.entries(record.flow).map(([kind, text]) => `${kind}: ${recordedText(text ?? '')}`),
    ...record.changed.map(({ by: id, at }) => `${by(id)}: changed ${at}`),
    ...record.lost.map((text) => `lost: ${text}`),
    ...(record.wouldHave === undefined
      ? []
      : record.wouldHave.reasons.map(({ by: id, text }) => `${by(id)}, in shadow: ${text}`)),
  ].filter((text, at, all) => all.indexOf(text) === at);
}

/** The name of the hook and where it is configured. */
function deciderName({ hooks }: ReadRecord, id: string, screen: Screen): string {
  const { file, line } = hooks.find(({ hook }) => hook.id === id)?.hook ?? {};
  const name = /#((?!\d+$)[^#[]+)$/.exec(id)?.[1];
  if (file === undefined || file.startsWith('(')) return name ?? id;
  const place = `${shortPath(file, screen)}:${line}`;
  return name === undefined || name === 'default' ? place : `${name} (${place})`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export function relativeTime(at: string, nowMs: number): string {
  const agoMs = nowMs - Date.parse(at);
  if (agoMs < 0) return absoluteTime(at).slice(0, 10);
  if (agoMs < MINUTE_MS) return `${Math.floor(agoMs / 1000)}s ago`;
  if (agoMs < HOUR_MS) return `${Math.floor(agoMs / MINUTE_MS)}m ago`;
  if (agoMs < DAY_MS) return `${Math.floor(agoMs / HOUR_MS)}h ago`;
  return agoMs < 7 * DAY_MS ? `${Math.floor(agoMs / DAY_MS)}d ago` : absoluteTime(at).slice(0, 10);
}

/** By the clock and time zone of this machine. */
function absoluteTime(at: string): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
