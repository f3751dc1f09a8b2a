/** Compares the outcome of a case with the expectation, for every agent as far as the agent supports the outcome. */

import { canOf } from '../console/can-of.ts';
import { DIALECTS } from '../dialects.ts';
import { lower } from '../engine/lower.ts';
import { same } from '../events/changes.ts';
import type { Event } from '../events/event.ts';
import type { Ruling } from '../events/outcome.ts';
import { endingText } from '../render/ending-text.ts';
import type { SuiteCase, HostVerdict, Suite } from './suite.ts';

export interface CaseVerdict {
  readonly host: string;
  readonly verdict: HostVerdict;
  /** The verdict before it was reduced to what this agent can do. */
  readonly from?: Ruling['verdict'];
  readonly wanted?: HostVerdict;
  readonly agrees: boolean;
}
export interface Result {
  readonly file: string;
  readonly name: string;
  readonly line: number;
  readonly ms: number;
  readonly verdicts: readonly CaseVerdict[];
  /** Descriptions of what was not as expected. Empty if the case passed. */
  readonly failures: readonly string[];
}

/** `host` is empty if the outcome applies to all agents. */
export interface HostOutcome {
  readonly host: string;
  readonly outcome: Ruling;
}

export function caseResult(
  { file, hosts }: Suite,
  { name, line, event, payload, expect }: SuiteCase,
  judged: readonly HostOutcome[],
): Omit<Result, 'ms'> {
  const fired = {
    name: event,
    payload,
    ids: { session: '' },
    scene: { cwd: '' },
    round: 1,
  } as unknown as Event;
  const columns = judged.flatMap(({ host, outcome }) =>
    (host === '' ? hosts : [host]).map((one) => ({ host: one, outcome })),
  );
  const verdicts = columns.map(({ host, outcome }): CaseVerdict => {
    const dialect = DIALECTS.find((one) => one.name === host);
    const can = canOf(host);
    const isHeard = (dialect?.words[event] ?? null) !== null && can[event] !== undefined;
    const verdict = isHeard ? lower(outcome, fired, can).verdict : 'unheard';
    const wanted = expect.hosts[host];
    const isLess = isHeard && verdict !== outcome.verdict;
    return {
      host,
      verdict,
      agrees: wanted === undefined || wanted === verdict,
      ...(wanted !== undefined && { wanted }),
      ...(isLess && { from: outcome.verdict }),
    };
  });
  return {
    file,
    name,
    line,
    verdicts,
    failures: [
      ...new Set(
        judged.flatMap(({ host, outcome }) => (host in expect.hosts ? [] : faultsIn(outcome, expect, host))),
      ),
      ...verdicts
        .filter(({ agrees }) => !agrees)
        .map(({ host, verdict, wanted }) => `${host}: expected ${wanted}, got ${verdict}`),
      ...Object.keys(expect.hosts)
        .filter((host) => !verdicts.some((one) => one.host === host))
        .map((host) => `${host}: was not judged; add it to hosts or as`),
    ],
  };
}

function faultsIn(outcome: Ruling, expect: SuiteCase['expect'], host: string): string[] {
  const { verdict, reason, input, payload = {}, flow, says } = expect;
  const where = host === '' ? '' : `${host}: `;
  const reasons = outcome.reasons
    .map(({ text, by, broken }) => `${text}${broken === true ? ` (${by} broke)` : ''}`)
    .join('; ');
  const endings = outcome.runs
    .map(({ answer }) => (answer === undefined ? '' : endingText(answer)))
    .filter(Boolean)
    .map((text) => `${where}a hook broke: ${text}`);
  if (outcome.verdict !== verdict)
    return [
      `${where}expected ${verdict}, got ${outcome.verdict}${reasons === '' ? '' : `: ${reasons}`}`,
      ...endings,
    ];
  // A guard that failed refuses too, which must not count as the expected refusal.
  const broke = outcome.reasons.filter(({ broken }) => broken === true);
  return [
    ...(verdict === 'deny' && broke.length === outcome.reasons.length && broke.length > 0
      ? [`${where}refused because a hook broke, not by an answer: ${reasons}`, ...endings]
      : []),
    ...(reason !== undefined && !reasons.includes(reason)
      ? [`${where}expected the reason to hold ${JSON.stringify(reason)}, got ${JSON.stringify(reasons)}`]
      : []),
    ...(input !== undefined && !same(outcome.payload['input'], input)
      ? [
          `${where}expected the input ${JSON.stringify(input)}, got ${JSON.stringify(outcome.payload['input'])}`,
        ]
      : []),
    ...Object.entries(payload)
      .filter(([field, value]) => !same(outcome.payload[field], value))
      .map(
        ([field, value]) =>
          `${where}expected ${field} to be ${JSON.stringify(value)}, got ${JSON.stringify(outcome.payload[field])}`,
      ),
    ...(flow !== undefined && !same(Object.keys(outcome.flow), flow)
      ? [`${where}expected ${listed(flow)}, got ${listed(Object.keys(outcome.flow))}`]
      : []),
    ...(says !== undefined && !outcome.said.some(({ text }) => text.includes(says))
      ? [`${where}expected somebody to be told ${JSON.stringify(says)}, nobody was`]
      : []),
  ];
}

const listed = (kinds: readonly string[]): string =>
  kinds.length === 0 ? 'no change of the flow' : kinds.join(', ');
