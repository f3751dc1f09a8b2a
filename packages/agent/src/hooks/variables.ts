import type { Outcome } from 'anyhook';
import type { Actor } from './actor.ts';
import { giftsIn } from './outcomes.ts';

type Variables = Readonly<Record<string, string>>;

/** Environment variables from hooks, per session, for later commands. */
export class GivenVariables {
  readonly #bySession = new Map<string, Variables>();

  take(outcome: Outcome, { session }: Actor): void {
    const given = giftsIn(outcome, 'environment') as readonly Variables[]; // The event table validates the shape.
    if (given.length > 0)
      this.#bySession.set(session, Object.assign({}, this.#bySession.get(session), ...given) as Variables);
  }

  over = (env: Variables, { session }: Actor): Record<string, string> => ({
    ...env,
    ...this.#bySession.get(session),
  });
}
