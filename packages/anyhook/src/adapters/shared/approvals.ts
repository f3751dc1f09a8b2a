/** Decides which calls a framework's own approval asks about. An approval covers exactly the input that was shown. */

import type { Fields } from '../../events/effects.ts';
import { type Outcome, outcomeOf } from '../../events/outcome.ts';
import type { Hooks } from '../../library/hooks.ts';
import type { AdapterOptions } from './call-with-hooks.ts';
import { sayLost } from './say-lost.ts';

export interface JudgedCall {
  readonly input: object;
  readonly call: string;
  /** The tool's own approval, which no hook lifts. */
  readonly needsOwn: (input: object) => Promise<boolean>;
  readonly wasAsked: boolean;
}
export interface Judging {
  readonly judge: (call: JudgedCall) => Promise<{ readonly isAsked: boolean; readonly outcome: Outcome }>;
  /** The outcome from when the framework asked about this call, so that hooks do not run twice for it. */
  readonly judged: (call: string) => Outcome | undefined;
}
const KEPT = 1000;

export function judgeCalls(
  name: string,
  { fire }: Pick<Hooks, 'fire'>,
  { ids, onOutcome = sayLost }: AdapterOptions,
): Judging {
  const outcomes = new Map<string, Outcome>();
  const keep = (call: string, outcome: Outcome): void => {
    outcomes.set(call, outcome);
    for (const oldest of outcomes.keys()) {
      if (outcomes.size <= KEPT) break;
      outcomes.delete(oldest);
    }
  };
  return {
    async judge({ input, call, needsOwn, wasAsked }) {
      const outcome = await fire({
        name: 'tool.before',
        payload: { tool: name, input: input as Fields },
        ids: { ...ids, call },
      });
      onOutcome(outcome);
      const isQuestion = outcome.proceed === 'ask';
      const isAsked = isQuestion || (outcome.proceed === 'yes' && (await needsOwn(outcome.payload.input)));
      // The framework shows the model's input. If hooks changed it, that would be the wrong question, so the call goes on to
      // its execution, which asks about the changed input or refuses.
      const isShown = outcome.changed.length === 0;
      if (!isAsked || !isShown || wasAsked)
        keep(
          call,
          isAsked && !isQuestion && !isShown
            ? outcomeOf({ ...outcome, verdict: 'ask' }, 'tool.before')
            : outcome,
        );
      // A framework may refuse an approved call that no longer needs approval.
      return { isAsked: wasAsked || (isAsked && isShown), outcome };
    },
    judged(call) {
      const outcome = outcomes.get(call);
      outcomes.delete(call);
      return outcome;
    },
  };
}
