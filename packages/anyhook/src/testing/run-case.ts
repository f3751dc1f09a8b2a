/** Runs hooks on one event in a real engine, without disk, trust or journal. */

import { makeEngine } from '../engine/engine.ts';
import { lower } from '../engine/lower.ts';
import { EVERYTHING, type Capabilities } from '../events/capabilities.ts';
import type { Dialect } from '../events/dialect.ts';
import type { Event } from '../events/event.ts';
import type { Reply, Request } from '../events/exchange.ts';
import type { Hook } from '../events/hook.ts';
import { type Outcome, outcomeOf, silentOutcome } from '../events/outcome.ts';

export interface CaseToRun {
  readonly dialects: readonly Dialect[];
  readonly hooks: readonly Hook[];
  readonly event: Event;
  /** Returns the reply of a hook's process, server or function. */
  readonly answers: (hook: Hook, request: Request) => Reply | Promise<Reply>;
  /** The host's capabilities. Default: everything. */
  readonly can?: Capabilities;
}

export async function runCase({
  dialects,
  hooks,
  event,
  answers,
  can = EVERYTHING,
}: CaseToRun): Promise<Outcome> {
  const engine = makeEngine({
    dialects,
    hooks,
    services: {},
    run: (hook, request) => answers(hook, request),
  });
  const outcome = (await engine.fire(event)) ?? silentOutcome(event);
  return outcomeOf(lower(outcome, event, can), event.name);
}
