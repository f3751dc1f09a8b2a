/** Counts journal records in memory that does not grow with their number. */

import type { EffectKind } from '../events/effects.ts';
import { tokensOf } from '../events/usage.ts';
import { SHADOW } from '../events/would-have.ts';
import type { ConsideredHook, HookCard, ReadRecord } from '../journal/index.ts';

/** Durations in a few numbers: 5 % steps, so a percentile is accurate to 2.5 %. */
const GROWTH = Math.log(1.05);
const LEAST_MS = 0.001;

export class TimeHistogram {
  count = 0;
  max = 0;
  readonly #steps = new Map<number, number>();

  add(ms: number): void {
    const step = Math.round(Math.log(Math.max(ms, LEAST_MS)) / GROWTH);
    this.#steps.set(step, (this.#steps.get(step) ?? 0) + 1);
    this.count++;
    this.max = Math.max(this.max, ms);
  }

  /** The duration that this fraction of runs stays within; undefined before the first run. */
  within(part: number): number | undefined {
    if (this.count === 0) return undefined;
    let left = Math.ceil(part * this.count);
    for (const [step, count] of [...this.#steps].sort(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return Math.min(this.max, Math.exp(step * GROWTH));
    }
    return this.max;
  }
}

export interface SessionTally {
  id: string;
  agent: string;
  cwd: string;
  startedAt: string;
  lastAt: string;
  fires: number;
  prompts: number;
  calls: number;
  refusals: number;
  failures: number;
  hookMs: number;
  damaged: number;
  tokens?: number;
  costUsd?: number;
  /** Calls that wait for the user's approval. */
  readonly questions: Set<string>;
}

export interface HookTally {
  card: HookCard;
  runs: number;
  refusals: number;
  failures: number;
  inShadow: number;
  wouldHaveRefused: number;
  last?: { readonly at: string; readonly one: ConsideredHook };
  readonly times: TimeHistogram;
  /** Agent → runs there. */
  readonly agents: Map<string, number>;
  /** Day → runs and their time. */
  readonly days: Map<string, { runs: number; ms: number }>;
}

type DayVerdicts = Record<ReadRecord['verdict'], number>;

/** Halt and cancel count as refusals; a question does not. */
const REFUSED: ReadonlySet<EffectKind> = new Set(['deny', 'halt', 'cancel']);
/** Later events of a call that show its question was answered. */
const ANSWERED: ReadonlySet<string> = new Set(['tool.after', 'tool.failed', 'tool.denied']);
/** Limit of open questions: an agent that was closed never answers. */
const MOST_QUESTIONS = 100;

export class JournalTally {
  readonly hooks = new Map<string, HookTally>();
  readonly days = new Map<string, DayVerdicts>();
  records = 0;
  damaged = 0;
  upTo = '';

  add(session: SessionTally, record: ReadRecord): void {
    this.records++;
    if (record.at > this.upTo) this.upTo = record.at;
    countInSession(session, record);
    const day = dayOf(record.at);
    if (record.late !== true) this.#dayOf(day)[record.verdict]++;
    for (const run of record.hooks) this.#addRun(record, run, day);
  }

  addDamage(session: SessionTally): void {
    this.damaged++;
    session.damaged++;
  }

  #dayOf(day: string): DayVerdicts {
    let verdicts = this.days.get(day);
    if (verdicts === undefined)
      this.days.set(day, (verdicts = { none: 0, allow: 0, ask: 0, defer: 0, deny: 0 }));
    return verdicts;
  }

  #addRun(record: ReadRecord, run: ConsideredHook, day: string): void {
    let tally = this.hooks.get(run.hook.id);
    if (tally === undefined) this.hooks.set(run.hook.id, (tally = newTally(run.hook)));
    if (tally.last === undefined || record.at >= tally.last.at) tally.card = run.hook;
    if (run.skipped !== undefined) return;
    tally.runs++;
    tally.times.add(run.ms);
    tally.agents.set(record.host.name, (tally.agents.get(record.host.name) ?? 0) + 1);
    const spent = tally.days.get(day) ?? { runs: 0, ms: 0 };
    tally.days.set(day, { runs: spent.runs + 1, ms: spent.ms + run.ms });
    if (run.failed !== undefined) tally.failures++;
    const held = (run.ignored ?? []).filter(({ why }) => why === SHADOW);
    const isRefusal = (run.effects ?? []).some(({ kind }) => REFUSED.has(kind));
    if (run.hook.shadow === true || held.length > 0) {
      tally.inShadow++;
      if (held.some(({ effect }) => REFUSED.has(effect.kind))) tally.wouldHaveRefused++;
    } else if (isRefusal) tally.refusals++;
    if (tally.last === undefined || record.at >= tally.last.at) tally.last = { at: record.at, one: run };
  }
}

const newTally = (card: HookCard): HookTally => ({
  card,
  runs: 0,
  refusals: 0,
  failures: 0,
  inShadow: 0,
  wouldHaveRefused: 0,
  times: new TimeHistogram(),
  agents: new Map(),
  days: new Map(),
});

export const newSession = (id: string): SessionTally => ({
  id,
  agent: '',
  cwd: '',
  startedAt: '',
  lastAt: '',
  fires: 0,
  prompts: 0,
  calls: 0,
  refusals: 0,
  failures: 0,
  hookMs: 0,
  damaged: 0,
  questions: new Set(),
});

function countInSession(session: SessionTally, record: ReadRecord): void {
  const { ids, host, scene, at, event, verdict } = record;
  session.id = ids.session;
  session.agent = host.name;
  if (session.cwd === '') session.cwd = scene.cwd;
  if (session.startedAt === '' || at < session.startedAt) session.startedAt = at;
  if (at > session.lastAt) session.lastAt = at;
  session.hookMs += record.tookMs ?? 0;
  for (const { failed } of record.hooks) if (failed !== undefined) session.failures++;
  if (record.late === true) return;
  const { session: totals } = record.usage ?? {};
  if (totals !== undefined) session.tokens = Math.max(session.tokens ?? 0, tokensOf(totals));
  if (totals?.costUsd !== undefined) session.costUsd = Math.max(session.costUsd ?? 0, totals.costUsd);
  session.fires++;
  if (event === 'prompt.submit') session.prompts++;
  if (event === 'tool.before') session.calls++;
  if (verdict === 'deny') session.refusals++;
  const { questions } = session;
  if (ids.call !== undefined && verdict === 'ask') questions.add(ids.call);
  if (ids.call !== undefined && ANSWERED.has(event)) questions.delete(ids.call);
  if (event === 'prompt.submit' || event === 'session.end') questions.clear();
  if (questions.size > MOST_QUESTIONS)
    for (const [oldest] of questions.entries()) {
      questions.delete(oldest);
      break;
    }
}

/** In local time, as users understand days. */
function dayOf(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at.slice(0, 10);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
