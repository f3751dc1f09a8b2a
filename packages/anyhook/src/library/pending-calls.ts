/** Calls that passed a limit and are not recorded yet. Without them, calls that start together would all pass. */

import type { Event } from '../events/event.ts';
import type { WayOf } from '../events/hook.ts';

/** A call that was never recorded, because its host gave up, stops counting after this time. */
const FORGOTTEN_MS = 60_000;

interface PendingCall {
  readonly rule: WayOf<'rule'>;
  readonly session: string;
  readonly call: string;
  readonly sinceMs: number;
}

export class PendingCalls {
  #calls: readonly PendingCall[] = [];

  /** Counts other calls. Those of other sessions count for a rule across the project. */
  count(rule: WayOf<'rule'>, { ids }: Event): number {
    const isSession = rule.rule.kind === 'limit' && rule.rule.across === 'session';
    return this.#calls.filter(
      (other) =>
        other.rule === rule &&
        (other.session === ids.session ? other.call !== ids.call : !isSession) &&
        performance.now() - other.sinceMs < FORGOTTEN_MS,
    ).length;
  }
  /** A call without an id cannot be told from others and is not kept. */
  add(rule: WayOf<'rule'>, { ids: { session, call } }: Event): void {
    if (call === undefined) return;
    const others = this.#calls.filter((one) => one.rule !== rule || !isSame(one, session, call));
    this.#calls = [...others, { rule, session, call, sinceMs: performance.now() }];
  }
  recorded({ ids: { session, call } }: Event): void {
    if (this.#calls.length > 0) this.#calls = this.#calls.filter((one) => !isSame(one, session, call));
  }
}

const isSame = (one: PendingCall, session: string, call: string | undefined): boolean =>
  one.session === session && one.call === call;
