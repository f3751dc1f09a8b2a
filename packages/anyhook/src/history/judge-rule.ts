/** Answers a rule over time from the history. */

import { ask, deny, type Effect } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import type { WayOf } from '../events/hook.ts';
import {
  type Across,
  amountText,
  type RequiresRule,
  type Rule,
  ruleSentence,
  type Since,
} from '../events/rule.ts';
import { isEdit } from './edits.ts';
import { hidesExitCode } from './hides-exit-code.ts';
import type { History } from './history.ts';
import { usedUp } from './judge-usage.ts';
import type { LoggedCall, PastMatch, SessionLog } from './session-log.ts';

export interface RuleSituation {
  readonly history: History;
  /** Calls of other folders do not count for a project. */
  readonly isInProject: (cwd: string) => boolean;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Whether the agent reports failed commands as failed, so that any other result is a success. */
  readonly reportsFailures: boolean;
  /** Calls that passed a limit and are not in the history yet. */
  readonly pending?: number;
}

/** Throws a `HistoryFault` if the history cannot be read. */
export function judgeRule(
  { rule, test }: WayOf<'rule'>,
  call: Event,
  situation: RuleSituation,
): Effect | undefined {
  switch (rule.kind) {
    case 'requires': {
      const log = situation.history.session(call.ids.session);
      const missing = whatIsMissing(rule, log, log.matching(test), situation);
      return missing === undefined ? undefined : refusal(rule, missing);
    }
    case 'limit': {
      const counted = matchesFor(rule, test, call, { ...situation, windowMs: rule.per?.ms });
      const { pending = 0 } = situation;
      const count = counted.length + pending;
      if (count < rule.times) return undefined;
      const sure = counted.filter(({ isSure }) => isSure).length + pending;
      return refusal(
        rule,
        rule.times === 0 ? '' : `${count} so far.`,
        sure >= rule.times ? 'sure' : 'unsure',
      );
    }
    case 'usage': {
      const used = usedUp(rule, call.usage);
      return used === undefined ? undefined : refusal(rule, `It is at ${amountText(rule.amount, used)}.`);
    }
    case 'forbid': {
      const found = matchesFor(rule, test, call, { ...situation, windowMs: rule.within?.ms });
      const last = found.findLast(({ isSure }) => isSure) ?? found.at(-1);
      if (last === undefined) return undefined;
      return refusal(rule, `That was at ${timeOf(last.call)}.`, last.isSure ? 'sure' : 'unsure');
    }
  }
}

/** Tests the calls that are new since the last time, so that the answer only looks at the result. */
export function prepareRule({ rule, test }: WayOf<'rule'>, log: SessionLog): void {
  log.matching(test);
  if ('since' in rule && rule.since === 'last edit') log.matching(isEdit);
}

/** A rule that rests only on calls which a matcher could not judge asks instead of refusing. */
function refusal(rule: Rule, fact: string, certainty: 'sure' | 'unsure' = 'sure'): Effect {
  const why = rule.reason === undefined ? '' : `${rule.reason}. `;
  const text = `${why}This rule ${ruleSentence(rule)}. ${fact}`.trimEnd();
  if (certainty === 'unsure') return ask(`${text} It is not certain that the earlier call matches.`);
  return rule.verdict === 'ask' ? ask(text) : deny(text);
}

interface Window extends RuleSituation {
  readonly windowMs: number | undefined;
}

function matchesFor(
  { across, since }: { readonly across: Across; readonly since?: Since },
  test: WayOf<'rule'>['test'],
  call: Event,
  { history, nowMs, windowMs, isInProject }: Window,
): readonly PastMatch[] {
  const fromMs = windowMs === undefined ? -Infinity : nowMs - windowMs;
  const logs = across === 'session' ? [history.session(call.ids.session)] : history.since(fromMs);
  return logs.flatMap((log) => {
    const after = positionOf(since, log);
    return log.matching(test).filter(({ call: past }) => {
      if (past.state === 'refused' || past.started < after) return false;
      // A time in the future means that the clock was set back. The call then still counts.
      return past.atMs >= fromMs && (across === 'session' || isInProject(past.cwd));
    });
  });
}

/** The position of the moment in recorded order, which no change of the clock affects. */
export function positionOf(since: Since | undefined, log: SessionLog): number {
  if (since === undefined) return -1;
  return since === 'last prompt' ? log.lastPrompt : lastEditIn(log);
}
function lastEditIn(log: SessionLog): number {
  let last = log.lastFileEdit;
  for (const { call } of log.matching(isEdit))
    if (call.state !== 'refused') last = Math.max(last, call.ended ?? call.started);
  return last;
}

/** Returns undefined if an earlier call satisfies the rule, else what is missing. */
function whatIsMissing(
  rule: RequiresRule,
  log: SessionLog,
  matches: readonly PastMatch[],
  { nowMs, reportsFailures }: RuleSituation,
): string | undefined {
  const after = positionOf(rule.since, log);
  let nearest: string | undefined;
  for (const match of matches.toReversed()) {
    const lack = lackOf(match, rule, log, { after, nowMs, reportsFailures });
    if (lack === undefined) return undefined;
    nearest ??= lack;
  }
  return nearest ?? 'It has not run in this session.';
}

function lackOf(
  { call, isSure }: PastMatch,
  { succeeded, since, within }: RequiresRule,
  log: SessionLog,
  {
    after,
    nowMs,
    reportsFailures,
  }: Pick<RuleSituation, 'nowMs' | 'reportsFailures'> & { readonly after: number },
): string | undefined {
  const at = timeOf(call);
  if (!isSure) return `It is not certain whether the call at ${at} was one.`;
  if (call.state === 'refused') return `The call at ${at} was refused.`;
  if (call.state === 'asked') return `Nothing shows that the call at ${at} was approved.`;
  if (call.state === 'started' && (succeeded === true || log.revealsResults))
    return `The call at ${at} has not ended.`;
  if (succeeded === true) {
    if (call.state === 'failed') return `The call at ${at} failed.`;
    if (call.state === 'ended' && !reportsFailures)
      return `This agent does not report whether the call at ${at} succeeded.`;
    const hidden = hidesExitCode(call.views);
    if (hidden !== undefined) return `The exit code of the call at ${at} does not count: ${hidden}.`;
  }
  if (call.ended !== undefined && call.ended === after) return `The call at ${at} edited files itself.`;
  if (call.started <= after) return `The call at ${at} was before the ${since}.`;
  // A time in the future means that the clock was set back. Such a call proves nothing.
  if (within !== undefined && (call.atMs > nowMs || call.atMs < nowMs - within.ms))
    return `The call at ${at} was not within ${within.text}.`;
  return undefined;
}

const timeOf = ({ atMs }: LoggedCall): string =>
  Number.isFinite(atMs) ? new Date(atMs).toTimeString().slice(0, 5) : 'an unknown time';
