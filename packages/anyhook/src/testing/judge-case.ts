/**
 * One hook, one event, judged by several dialects' meanings: what each of them makes of the same answer, with its own
 * failure rule, lowered to what its agent can do (`ask` where nobody can ask is a deny).
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
  /** What the hook answers to what it is told: run it for real, or say it. */
  readonly hook: (request: Request, dialect: string) => Reply | Promise<Reply>;
  readonly dialects: readonly Dialect[];
  /** Fields that a dialect's settings would have given the hook: a timeout, `onFailure`, `extra`. */
  readonly over?: Partial<Hook>;
  /** Dialect → verdict; a dialect that has no word for the event is `unheard`. */
  readonly expected: Readonly<Record<string, Outcome['verdict'] | 'unheard'>>;
}
export interface CaseJudgement {
  readonly dialect: string;
  readonly verdict: Outcome['verdict'] | 'unheard';
  readonly expected: Outcome['verdict'] | 'unheard' | undefined;
  readonly agrees: boolean;
  readonly outcome?: Outcome;
}

/** One judgement per dialect, in the order given. A dialect that nothing was expected of agrees with nothing. */
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
