/** Reads `requires`, `limit` and `forbid`: entries that judge a call by what happened earlier. */

import { flag, object, oneOf, type Shape, type Spot, text, whole } from '../../../events/checker.ts';
import type { Event } from '../../../events/event.ts';
import type { EventName } from '../../../events/events.ts';
import type { Fit, WayOf } from '../../../events/hook.ts';
import { nearest } from '../../../events/problems.ts';
import {
  type Across,
  type CallTest,
  type Duration,
  parseDurationMs,
  type Rule,
  type Since,
  type UsageAmount,
} from '../../../events/rule.ts';
import { TOOLS } from '../../../events/tools.ts';
import { type OwnMatcher, readMatcher } from './match.ts';

const LONGEST_DAYS = 31;
const DAY_MS = 86_400_000;

const duration: Shape<Duration> = (spot) => {
  const source = text(spot);
  if (source === undefined) return undefined;
  const ms = parseDurationMs(source);
  if (ms !== undefined && ms <= LONGEST_DAYS * DAY_MS) return { text: source, ms };
  spot.report('bad-value', `is ${JSON.stringify(source)}`, {
    remedy: `Write a number with s, m, h or d, such as "30m", at most ${LONGEST_DAYS}d.`,
  });
  return undefined;
};
const since = oneOf<Since>(['last edit', 'last prompt']);
const across = oneOf<Across>(['session', 'project']);

const amount: Shape<number> = (spot) => {
  const { value } = spot;
  if (typeof value === 'number' && value > 0 && value <= 1e6) return value;
  spot.report('bad-value', `is ${JSON.stringify(value)}`, {
    remedy: 'Write a number of US dollars, such as 5.',
  });
  return undefined;
};

export const RULE_KEYS = {
  requires: object({ earlier: text, succeeded: flag, since, within: duration }),
  limit: object({
    times: whole(0, 1_000_000),
    per: duration,
    since,
    across,
    tokens: whole(1, 1e12),
    contextTokens: whole(1, 1e12),
    costUsd: amount,
  }),
  forbid: object({ after: text, since, within: duration, across }),
  verdict: oneOf<Rule['verdict']>(['deny', 'ask']),
  reason: text,
};
const KINDS = ['requires', 'limit', 'forbid'] as const;

interface RuleEntry {
  readonly requires?: { earlier?: string; succeeded?: boolean; since?: Since; within?: Duration };
  readonly limit?: {
    times?: number;
    per?: Duration;
    since?: Since;
    across?: Across;
  } & Partial<Record<UsageAmount, number>>;
  readonly forbid?: { after?: string; since?: Since; within?: Duration; across?: Across };
  readonly verdict?: Rule['verdict'];
  readonly reason?: string;
}

/** Whether the entry is meant as a rule, even if it is invalid. */
export const isRuleEntry = (value: object): boolean => KINDS.some((kind) => Object.hasOwn(value, kind));

/** Returns undefined and reports why if the rule is invalid. `matcher` selects the calls that it judges. */
export function readRuleEntry(
  spot: Spot,
  entry: RuleEntry,
  event: EventName,
  matcher: OwnMatcher,
): WayOf<'rule'> | undefined {
  const given = KINDS.filter((kind) => Object.hasOwn(spot.value as object, kind));
  if (given.length > 1)
    return void spot.report('bad-value', `has both "${given[0]}" and "${given[1]}"`, {
      remedy: 'Write one entry for each.',
    });
  if (event !== 'tool.before')
    return void spot.part(given[0]!).report('bad-value', `judges tool calls and has no effect on ${event}`, {
      at: 'key',
      remedy: 'Move the entry to "tool.before".',
    });
  const { verdict = 'deny', reason } = entry;
  const answer = { verdict, ...(reason !== undefined && { reason }) };
  if (entry.requires !== undefined) return readRequires(spot.part('requires'), entry.requires, answer);
  if (entry.limit !== undefined) return readLimit(spot.part('limit'), entry.limit, answer, matcher);
  return entry.forbid && readForbid(spot.part('forbid'), entry.forbid, answer);
}

type Answer = Pick<Rule, 'verdict' | 'reason'>;

function readRequires(
  spot: Spot,
  { earlier, ...rest }: NonNullable<RuleEntry['requires']>,
  answer: Answer,
): WayOf<'rule'> | undefined {
  if (earlier === undefined) return missingKey(spot, 'earlier', 'shell(npm test)');
  const test = readPattern(spot.part('earlier'), earlier);
  return test && { kind: 'rule', rule: { kind: 'requires', earlier, ...rest, ...answer }, test };
}

function readLimit(
  spot: Spot,
  {
    times,
    across: scope = 'session',
    tokens,
    contextTokens,
    costUsd,
    ...rest
  }: NonNullable<RuleEntry['limit']>,
  answer: Answer,
  matcher: OwnMatcher,
): WayOf<'rule'> | undefined {
  const amounts = AMOUNTS.filter((key) => Object.hasOwn(spot.value as object, key));
  if (amounts.length > 0) {
    const most = { tokens, contextTokens, costUsd }[amounts[0]!];
    if (isMixed(spot, amounts[0]!) || most === undefined) return undefined;
    const rule: Rule = { kind: 'usage', amount: amounts[0]!, most, ...answer };
    return { kind: 'rule', rule, test: testOf(matcher) };
  }
  if (times === undefined) return missingKey(spot, 'times', 1);
  if (scope === 'project' && rest.per === undefined) return unbounded(spot, 'per');
  const rule: Rule = { kind: 'limit', times, across: scope, ...rest, ...answer };
  return isAcrossSince(spot, rule) ? undefined : { kind: 'rule', rule, test: testOf(matcher) };
}

const AMOUNTS = ['tokens', 'contextTokens', 'costUsd'] as const satisfies readonly UsageAmount[];

/** A limit of usage counts no calls, and has one amount. */
function isMixed(spot: Spot, amount: UsageAmount): boolean {
  const others = Object.keys(spot.value as object).filter((key) => key !== amount);
  for (const key of others)
    spot.part(key).report('bad-value', `cannot be combined with "${amount}"`, {
      at: 'key',
      remedy: 'Write one entry for each.',
    });
  return others.length > 0;
}

function readForbid(
  spot: Spot,
  { after, across: scope = 'session', ...rest }: NonNullable<RuleEntry['forbid']>,
  answer: Answer,
): WayOf<'rule'> | undefined {
  if (after === undefined) return missingKey(spot, 'after', 'danger:secrets');
  if (scope === 'project' && rest.within === undefined) return unbounded(spot, 'within');
  const rule: Rule = { kind: 'forbid', after, across: scope, ...rest, ...answer };
  const test = readPattern(spot.part('after'), after);
  return test === undefined || isAcrossSince(spot, rule) ? undefined : { kind: 'rule', rule, test };
}

function missingKey(spot: Spot, key: string, example: unknown): undefined {
  if (!Object.hasOwn(spot.value as object, key))
    spot.report('bad-value', `has no "${key}"`, { remedy: `Add "${key}": ${JSON.stringify(example)}.` });
}

function unbounded(spot: Spot, key: string): undefined {
  spot.part('across').report('bad-value', `is "project" without "${key}"`, {
    remedy: `Add "${key}": "1h". Without it, all recorded sessions would count.`,
  });
}

/** Edits and prompts of other sessions say nothing about this one. */
function isAcrossSince(spot: Spot, { since: moment, ...rule }: Rule & { readonly since?: Since }): boolean {
  if (moment === undefined || !('across' in rule) || rule.across === 'session') return false;
  spot.part('since').report('bad-value', 'has no meaning across sessions', {
    remedy: 'Remove it, or remove "across".',
  });
  return true;
}

/** Reads the pattern of an earlier call, and rejects patterns that can match none. */
function readPattern(spot: Spot, source: string): CallTest | undefined {
  const { matcher, fault } = readMatcher(source, 'tool.before');
  if (fault !== undefined) spot.report(fault.code, `${JSON.stringify(source)}: ${fault.message}`, fault);
  if (matcher === undefined) return undefined;
  const [, tool, glob] =
    /(?:^|[|,])\s*(read|write|edit|multi-edit)\(([^{}()]*\|[^{}()]*)\)/.exec(source) ?? [];
  if (tool !== undefined)
    return void spot.report('bad-matcher', `${JSON.stringify(source)} matches no file: "|" is literal here`, {
      remedy: `Write ${tool}({${glob!.replaceAll('|', ',')}}).`,
    });
  const typo = matcher.match.kind === 'names' ? matcher.match.names.find(isTypo) : undefined;
  if (typo === undefined) return testOf(matcher);
  return void spot.report(
    'bad-matcher',
    `${JSON.stringify(source)} matches no call: no tool is called ${typo}`,
    {
      remedy: `Did you mean ${nearest(typo, OURS)}?`,
    },
  );
}

const OURS = Object.keys(TOOLS);
const isTypo = (name: string): boolean => !OURS.includes(name) && nearest(name, OURS) !== undefined;

/** For modules: a matcher as a test, or why it is invalid. */
export function readCallTest(source: string): { readonly test?: CallTest; readonly fault?: string } {
  const { matcher, fault } = readMatcher(source, 'tool.before');
  return matcher === undefined ? { fault: fault?.message ?? 'is invalid' } : { test: testOf(matcher) };
}

/** A matcher as a test of one call, by the common name of its tool or by the agent's own. */
function testOf({ match, when }: OwnMatcher): CallTest {
  return (call: Event): Fit => {
    const { tool } = call.payload as { tool?: unknown };
    const names = [tool, call.native?.tool].filter((name) => typeof name === 'string');
    if (match.kind === 'names' && !names.some((name) => match.names.includes(name))) return false;
    if (match.kind === 'pattern' && !names.some((name) => match.test(name))) return false;
    return when?.(call) ?? true;
  };
}
