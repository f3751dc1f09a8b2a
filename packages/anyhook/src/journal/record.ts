/**
 * The journal record of one fire, as `why`, `log` and `replay` read it. Empty fields are omitted from the
 * line and restored on reading. A long text becomes a `CutText`, a large value is marked as cut, and a secret
 * becomes `[redacted:…]`.
 */

import type { Effect, Gift, FlowKind, Verdict } from '../events/effects.ts';
import type { Event, Ids, Scene, Spelling } from '../events/event.ts';
import type { HookFailure, Notes } from '../events/exchange.ts';
import type { Hook } from '../events/hook.ts';
import type { Approval, Ending, IgnoredEffect, Ruling, Run, Sticky, UndoMark } from '../events/outcome.ts';
import type { TraceContext } from '../events/trace.ts';
import type { Usage } from '../events/usage.ts';
import { SHADOW, type WouldHave, wouldHave } from '../events/would-have.ts';
import { type Card, cardOf } from './card.ts';
import { FixedList } from './fixed-list.ts';

/** The start of a text, its length, and its hash after redaction. */
export interface CutText {
  readonly cut: string;
  readonly bytes: number;
  readonly sha256: string;
}
export type Text = string | CutText;
export const recordedText = (text: Text): string =>
  typeof text === 'string' ? text : `${text.cut}… [${text.bytes} bytes, sha256 ${text.sha256.slice(0, 12)}]`;

export interface HostName {
  readonly name: string;
  readonly version?: string;
}

/**
 * Identifies the record's source among many machines. Fields that the settings omit are absent, see
 * `journal/origin.ts`.
 */
export interface RecordOrigin {
  readonly machine?: string;
  readonly user?: string;
  /** Version of the organisation's policy. */
  readonly policy?: number;
}

export type HookCard = Pick<Card, 'id'> & Partial<Card>;

/** A hook of the event: its run or why it was skipped, and its answer. */
export interface ConsideredHook {
  /** Only the id if the engine no longer knows the hook. */
  readonly hook: HookCard;
  readonly round: 1 | 2;
  readonly ms: number;
  readonly skipped?: Text;
  /** For a background hook: identifies the records of its start and its end. */
  readonly late?: string;
  /** Exit code of a finished background program. */
  readonly code?: number;
  readonly effects?: readonly Effect[];
  readonly failed?: HookFailure;
  readonly failedOpen?: true;
  readonly ignored?: readonly IgnoredEffect[];
  readonly notes?: Notes;
  readonly printed?: Text;
  readonly ending?: Ending;
}

type By<T> = { readonly by: string } & Readonly<T>;

/** A record before the journal adds its chain link. */
export interface Draft {
  /** UTC. */
  readonly at: string;
  /** Monotonic clock, in milliseconds since the process started. */
  readonly clockMs: number;
  /** Duration of the whole fire. */
  readonly tookMs?: number;
  readonly host: HostName;
  readonly origin?: RecordOrigin;
  readonly event: string;
  readonly ids: Ids;
  readonly scene: Scene;
  readonly native?: Spelling;
  /**
   * Set if the agent is traced: the span of this fire. The spans of its hooks are derived from it
   * (`hookSpanOf`).
   */
  readonly trace?: TraceContext;
  /** Tokens and cost of the session at this event, if the agent reveals them. */
  readonly usage?: Usage;
  /**
   * Set for the end of a background hook of an event that was recorded earlier. The hook's entry identifies
   * it.
   */
  readonly late?: true;
  readonly verdict: Verdict | 'none';
  readonly reasons?: readonly By<{ text: Text; broken?: true }>[];
  readonly changed?: readonly By<{ at: string }>[];
  readonly voided?: readonly string[];
  readonly flow?: Readonly<Partial<Record<FlowKind, Text>>>;
  readonly lost?: readonly string[];
  readonly aborted?: true;
  readonly paused?: true;
  readonly approval?: Approval;
  readonly sticky?: Sticky;
  readonly undo?: UndoMark;
  /** Hooks in shadow that answered but were not enforced. */
  readonly shadow?: readonly string[];
  /** The refusal that hooks in shadow would have caused. */
  readonly wouldHave?: WouldHave;
  readonly hooks?: readonly ConsideredHook[];
  /** Hooks of this event whose matcher did not fit. */
  readonly unmatched?: readonly string[];
  readonly said?: readonly By<{ to: 'model' | 'person'; text: Text }>[];
  readonly given?: readonly By<{ what: Gift; value: unknown }>[];
  /** The payload as it was received. */
  readonly before: unknown;
  /** The payload that should run. Absent if nothing changed it. */
  readonly after?: unknown;
}

/** Why a record does not simply follow the previous one. */
export interface RecordGap {
  /** An unfinished line before this one, with its size and hash. */
  readonly torn?: { readonly bytes: number; readonly sha256: string };
  /** Number of records that could not be written and exceeded the memory limit. */
  readonly lost?: number;
  /** The file was missing or truncated when this was written. */
  readonly missing?: true;
}

/** One line of the journal. */
export interface JournalRecord extends Draft {
  readonly v: number;
  readonly seq: number;
  /** Id of one opening of the journal by one process. */
  readonly writer: string;
  readonly prev: string;
  readonly gap?: RecordGap;
  /** Number of values that were redacted or cut. */
  readonly redacted?: number;
  readonly cut?: number;
  readonly hash: string;
}

export interface RecordInput {
  /** The event as it was fired. */
  readonly event: Event;
  /** Its `runs` contain every hook of the event, including the skipped ones. */
  readonly outcome: Ruling;
  readonly hookOf: (id: string) => Hook | undefined;
  readonly host: HostName;
  readonly origin?: RecordOrigin | undefined;
  readonly tookMs?: number;
  /** Milliseconds since 1970. Default: now. */
  readonly atMs?: number;
  readonly clockMs?: number;
}

/** Keeps references to its input, so the record must be written before anything changes. */
export function makeRecord(input: RecordInput): Draft {
  const { event, outcome } = input;
  const hooks = consideredIn(outcome.runs, input.hookOf);
  const shadow = hooks instanceof FixedList ? NONE : unheeded(hooks);
  const would = shadow.length > 0 ? wouldHave(outcome.runs) : undefined;
  // The order is that of the line: essential fields come before those that may exceed its size limit.
  return {
    at: utc(input.atMs ?? Date.now()),
    clockMs: rounded(input.clockMs ?? performance.now()),
    ...(input.tookMs !== undefined && { tookMs: rounded(input.tookMs) }),
    host: input.host,
    ...(input.origin !== undefined && { origin: input.origin }),
    event: event.name,
    ids: event.ids,
    scene: event.scene,
    ...(event.native !== undefined && { native: event.native }),
    ...(event.trace !== undefined && { trace: event.trace }),
    ...(event.usage !== undefined && { usage: event.usage }),
    verdict: outcome.verdict,
    ...(outcome.reasons.length > 0 && { reasons: outcome.reasons }),
    ...(outcome.changed.length > 0 && { changed: outcome.changed }),
    ...(outcome.voided.length > 0 && { voided: outcome.voided }),
    ...(hasKeys(outcome.flow) && { flow: outcome.flow }),
    ...(outcome.lost.length > 0 && { lost: outcome.lost }),
    ...(outcome.aborted && { aborted: true as const }),
    ...(outcome.paused && { paused: true as const }),
    ...(outcome.approval !== undefined && { approval: outcome.approval }),
    ...(outcome.sticky !== undefined && { sticky: outcome.sticky }),
    ...(outcome.undo !== undefined && { undo: outcome.undo }),
    ...(shadow.length > 0 && { shadow }),
    ...(would !== undefined && { wouldHave: would }),
    ...(hooks.length > 0 && { hooks }),
    ...(outcome.unmatched.length > 0 && { unmatched: outcome.unmatched }),
    ...(outcome.said.length > 0 && { said: outcome.said }),
    ...(outcome.given.length > 0 && { given: outcome.given }),
    before: event.payload,
    ...(outcome.changed.length > 0 && { after: outcome.payload }),
  };
}

export type LateRecordInput = Pick<RecordInput, 'event' | 'hookOf' | 'host' | 'origin'> & {
  readonly run: Run;
};

/** Makes the record for the end of a background hook. */
export function makeLateRecord({ event, run, hookOf, host, origin }: LateRecordInput): Draft {
  return {
    at: utc(Date.now()),
    clockMs: rounded(performance.now()),
    tookMs: rounded(run.ms),
    host,
    ...(origin !== undefined && { origin }),
    event: event.name,
    ids: event.ids,
    scene: event.scene,
    ...(event.native !== undefined && { native: event.native }),
    ...(event.trace !== undefined && { trace: event.trace }),
    late: true,
    verdict: 'none',
    hooks: [considered(run, hookOf(run.hook))],
    before: event.payload,
  };
}

const NONE: readonly string[] = [];

const unheeded = (hooks: readonly ConsideredHook[]): readonly string[] =>
  hooks
    .filter(
      ({ hook, effects, ignored }) =>
        (hook.shadow && effects !== undefined) || ignored?.some(({ why }) => why === SHADOW),
    )
    .map((entry) => entry.hook.id);

/** Hooks without effects share one frozen list of runs, whose serialised form can be reused. */
const silent = new WeakMap<readonly Run[], FixedList<ConsideredHook>>();

function consideredIn(runs: readonly Run[], hookOf: RecordInput['hookOf']): readonly ConsideredHook[] {
  const known = silent.get(runs);
  if (known !== undefined) return known;
  const all = runs.map((run) => considered(run, hookOf(run.hook)));
  if (!Object.isFrozen(runs) || !runs.every((run) => Object.isFrozen(run) && isSilent(run))) return all;
  const list = FixedList.from(all);
  silent.set(runs, list);
  return list;
}

const isSilent = ({ answer, skipped, ignored, ms }: Run): boolean =>
  answer?.effects.length === 0 &&
  answer.failed === undefined &&
  (skipped ?? ignored) === undefined &&
  ms === 0;

function considered(run: Run, hook: Hook | undefined): ConsideredHook {
  const { answer } = run;
  return {
    hook: hook === undefined ? { id: run.hook } : cardOf(hook),
    round: run.round,
    ms: rounded(run.ms),
    ...(run.skipped !== undefined && { skipped: run.skipped }),
    ...(run.late !== undefined && { late: run.late }),
    ...(run.code !== undefined && { code: run.code }),
    ...(answer !== undefined && answer.effects.length > 0 && { effects: answer.effects }),
    ...(answer?.failed !== undefined && { failed: answer.failed }),
    ...(run.failedOpen && { failedOpen: true as const }),
    ...(run.ignored !== undefined && run.ignored.length > 0 && { ignored: run.ignored }),
    ...(answer?.notes !== undefined && { notes: answer.notes }),
    ...(answer?.printed !== undefined && answer.printed !== '' && { printed: answer.printed }),
    ...(answer?.ending !== undefined && { ending: answer.ending }),
  };
}

const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;

const hasKeys = (value: object): boolean => {
  for (const key in value) if (Object.hasOwn(value, key)) return true;
  return false;
};

/** The text of the current second is cached, because most records of a busy session share it. */
let [second, spelled] = [-1, ''];
function utc(ms: number): string {
  const whole = Math.floor(ms / 1000);
  if (whole !== second) [second, spelled] = [whole, new Date(whole * 1000).toISOString().slice(0, 20)];
  return `${spelled}${String(Math.floor(ms) - whole * 1000).padStart(3, '0')}Z`;
}
