/** A record for display: words for what happened, and every text made safe. */

import { same } from '../events/changes.ts';
import type { Effect } from '../events/effects.ts';
import type { EventName } from '../events/events.ts';
import { SHADOW } from '../events/would-have.ts';
import {
  type ConsideredHook,
  type PlacedEntry,
  type ReadRecord,
  recordedText,
  type Text,
} from '../journal/index.ts';
import { backgroundWords } from '../render/background.ts';
import { endingText } from '../render/ending-text.ts';
import { subjectIn } from '../render/record-lines.ts';
import { safe, safeJson } from '../render/safe.ts';
import { shortPath } from '../render/screen.ts';
import type { FireRole, ShownEffect, ShownEntry, ShownFire, ShownRun } from './wire.ts';

export interface Viewpoint {
  readonly cwd: string;
  readonly home: string;
}

/** Roles of events in the timeline. Other events appear under their own name. */
const ROLES: Readonly<Partial<Record<EventName, FireRole>>> = {
  'prompt.submit': 'prompt',
  'tool.before': 'call',
  'tool.permission': 'call',
  'tool.after': 'result',
  'tool.failed': 'result',
  'tool.denied': 'result',
  'turn.stop': 'stop',
  'agent.end': 'stop',
  'subagent.stop': 'stop',
  'session.end': 'stop',
};
const CURRENT_VERSION = 1;

export function shownEntry(entry: PlacedEntry, from: Viewpoint): ShownEntry {
  if (entry.kind === 'damage')
    return { kind: 'damage', at: entry.at, bytes: entry.bytes, why: safe(entry.why) };
  const { record, at } = entry;
  if (record.late !== true) return shownFire(record, at, from);
  const runs = record.hooks.map((run) => shownRun(run, record, from));
  return { kind: 'end', at, time: safe(record.at), event: safe(record.event), runs };
}

function shownFire(record: ReadRecord, at: number, from: Viewpoint): ShownFire {
  const { ids, tookMs, wouldHave, after, v } = record;
  const role = ROLES[record.event as EventName] ?? 'other'; // an event of another version has no row
  return {
    kind: 'fire',
    at,
    time: safe(record.at),
    event: safe(record.event),
    role,
    subject: safe(subjectOf(record)),
    ...(ids.call !== undefined && { call: safe(ids.call) }),
    ...(ids.agent !== undefined && { subagent: safe(ids.agent) }),
    ...(tookMs !== undefined && { tookMs }),
    verdict: record.verdict,
    reasons: record.reasons.map(({ by, text, broken }) => ({
      by: safe(by),
      text: shown(text),
      isBroken: broken === true,
    })),
    runs: record.hooks.map((run) => shownRun(run, record, from)),
    unmatched: record.unmatched.map(safe),
    changed: record.changed.map((change) => ({ by: safe(change.by), at: safe(change.at) })),
    before: pretty(record.before),
    ...(after !== undefined && { after: pretty(after) }),
    said: record.said.map(({ by, to, text }) => ({ by: safe(by), to, text: shown(text) })),
    flow: Object.entries(record.flow).map(([kind, text]) => ({ kind: safe(kind), text: shown(text) })),
    lost: record.lost.map(safe),
    ...(wouldHave !== undefined && {
      wouldHave: safe(
        [wouldHave.verdict, ...wouldHave.reasons.map(({ text }) => text)].filter(Boolean).join(': '),
      ),
    }),
    marks: marksOf(record),
    ...(v !== CURRENT_VERSION && { version: v }),
  };
}

function subjectOf(record: ReadRecord): string {
  const plain = subjectIn(record);
  if (plain !== '') return plain;
  const { source, reason, title, name, path, message } = (record.before ?? {}) as Record<string, unknown>;
  return shown((title ?? message ?? name ?? path ?? source ?? reason ?? '') as Text);
}

function marksOf(record: ReadRecord): string[] {
  const { gap, given, redacted, cut } = record;
  return [
    ...(record.paused === true ? ['hooks were paused'] : []),
    ...(record.aborted === true ? ['the agent gave up waiting'] : []),
    ...(gap?.missing === true ? ['written after the file had been removed or shortened'] : []),
    ...(gap?.lost === undefined ? [] : [`${gap.lost} records before it could not be written`]),
    ...(gap?.torn === undefined ? [] : ['an unfinished line precedes it']),
    ...given.map(({ by, what }) => safe(`${by} gave a ${what}`)),
    ...(redacted === undefined
      ? []
      : [`${redacted} secret ${redacted === 1 ? 'place' : 'places'} taken out`]),
    ...(cut === undefined ? [] : [`${cut} ${cut === 1 ? 'text' : 'texts'} shortened`]),
  ];
}

export function shownRun(run: ConsideredHook, record: ReadRecord, from: Viewpoint): ShownRun {
  const { hook, skipped, late, failed, ending, printed, notes } = run;
  const failure = failed === undefined ? undefined : endingText({ failed, ...(ending && { ending }) });
  return {
    id: safe(hook.id),
    name: shownName(hook.what ?? hook.id, from),
    ...(hook.dialect !== undefined && { dialect: safe(hook.dialect) }),
    ...(hook.on !== undefined && { on: safe(hook.on) }),
    ...(hook.layer !== undefined && { layer: safe(hook.layer) }),
    ...(hook.file !== undefined && { place: shownPlace(hook.file, hook.line, from) }),
    ...(hook.matcher !== undefined && { matcher: shown(hook.matcher) }),
    roles: (hook.roles ?? []).map(safe),
    round: run.round,
    ms: run.ms,
    effects: (run.effects ?? []).map((effect) => shownEffect(effect, run)),
    ...(late !== undefined
      ? { late: safe(late), background: backgroundWords(run) }
      : skipped !== undefined && { skipped: shown(skipped) }),
    ...(failure !== undefined && { failed: failure }),
    ...(run.failedOpen === true && { failedOpen: true }),
    ...(hook.shadow === true && { isShadow: true }),
    ...(record.voided.includes(hook.id) && { isVoided: true }),
    notes: Object.entries(notes ?? {}).map(([name, value]) =>
      safe(`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
    ),
    ...(printed !== undefined && { printed: shown(printed) }),
  };
}

function shownEffect(effect: Effect, { ignored = [] }: ConsideredHook): ShownEffect {
  const why = ignored.find((entry) => same(entry.effect, effect))?.why;
  const ignoredFor = why === SHADOW ? 'it runs in shadow' : why;
  return {
    kind: effect.kind,
    text: effectText(effect),
    ...(ignoredFor !== undefined && { ignored: shown(ignoredFor) }),
  };
}

/** For a record, in which any text may have been cut. */
export function effectText(effect: Effect): string {
  switch (effect.kind) {
    case 'set':
      return safe(
        `${effect.at.join('.')} = ${effect.to === undefined ? 'nothing' : JSON.stringify(effect.to)}`,
      );
    case 'give':
      return safe(effect.what);
    case 'context':
    case 'notice':
      return shown(effect.text);
    default:
      return shown(effect.reason ?? '');
  }
}

/** What a hook is or runs, with short paths. */
export const shownName = (what: Text, { cwd, home }: Viewpoint): string =>
  shown(what)
    .replaceAll(`${safe(cwd)}/`, '')
    .replaceAll(`${safe(home)}/`, '~/');

export const shownPlace = (file: string, line: number | undefined, from: Viewpoint): string =>
  file.startsWith('(') ? safe(file) : `${shortPath(file, from)}${line === undefined ? '' : `:${line}`}`;

const shown = (text: Text | undefined): string =>
  text === undefined
    ? ''
    : safe(typeof text === 'object' || typeof text === 'string' ? recordedText(text) : String(text));

const pretty = (value: unknown): string => safeJson(value, 2);
