/**
 * Runs one hook on one event in several dialects and compares the verdicts. Each dialect interprets the
 * answer by its own rules, lowered to what its agent can do (`ask` becomes a deny if the agent cannot ask).
 */

import type { Dialect } from '../events/dialect.ts';
import type { Event } from '../events/event.ts';
import type { Reply, Request } from '../events/exchange.ts';
import type { Hook } from '../events/hook.ts';
import type { Outcome } from '../events/outcome.ts';
import { rolesOn } from '../events/roles.ts';
import { runCase } from './run-case.ts';

export interface JudgedCase {
  readonly event: Event;
  /** Returns the hook's reply to a request: from a real run, or fixed. */
  readonly hook: (request: Request, dialect: string) => Reply | Promise<Reply>;
  readonly dialects: readonly Dialect[];
  /** Fields that a dialect's settings would set: a timeout, `onFailure`, `extra`. */
  readonly over?: Partial<Hook>;
  /** Dialect → verdict. `unheard` for a dialect without the event. */
  readonly expected: Readonly<Record<string, Outcome['verdict'] | 'unheard'>>;
}
export interface CaseJudgement {
  readonly dialect: string;
  readonly verdict: Outcome['verdict'] | 'unheard';
  readonly expected: Outcome['verdict'] | 'unheard' | undefined;
  readonly agrees: boolean;
  readonly outcome?: Outcome;
}

/**
 * Returns one judgement per dialect, in the given order. Without an expected verdict, a dialect does not
 * agree.
 */
export async function judgeCase({
  event,
  hook,
  dialects,
  over = {},
  expected,
}: JudgedCase): Promise<CaseJudgement[]> {
  return Promise.all(
    dialects.map(async (dialect) => {
      const outcome = await heardBy(dialect, event, hook, over);
      const verdict = outcome?.verdict ?? 'unheard';
      const wanted = expected[dialect.name];
      return {
        dialect: dialect.name,
        verdict,
        expected: wanted,
        agrees: verdict === wanted,
        ...(outcome && { outcome }),
      };
    }),
  );
}

async function heardBy(
  dialect: Dialect,
  event: Event,
  hook: JudgedCase['hook'],
  over: Partial<Hook>,
): Promise<Outcome | undefined> {
  const word = dialect.words[event.name]?.[0];
  if (word === undefined) return undefined;
  const asked: Hook = {
    id: `${dialect.name}:case`,
    dialect: dialect.name,
    on: word,
    origin: { layer: 'session', file: '(case)', line: 1 },
    roles: rolesOn(event.name),
    match: { kind: 'any' },
    run: { kind: 'command', run: { line: '(case)' }, env: 'inherit' },
    background: false,
    shadow: false,
    timeoutMs: 60_000,
    ...over,
  };
  const answers = (_: Hook, request: Request) => hook(request, dialect.name);
  return runCase({ dialects: [dialect], hooks: [asked], event, answers, can: dialect.can });
}
