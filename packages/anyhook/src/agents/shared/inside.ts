/**
 * The interface inside agents that load code: between the part that knows the agent and the engine that the host opens.
 */

import type { EventInput } from '../../events/event.ts';
import type { EventName } from '../../events/events.ts';
import type { Outcome } from '../../events/outcome.ts';

export interface InsideEngine {
  readonly wants: Readonly<Record<EventName, boolean>>;
  /** Already applies the strictness that the user wants. */
  fire(input: EventInput): Promise<Outcome>;
  close(): Promise<void>;
}
/** Opens the engine for this agent, in the working folder of the session. `version`: that of the agent, if it reveals it. */
export type OpenEngine = (cwd: string, version?: string) => Promise<InsideEngine>;

export interface Inside {
  /** Receives what the agent passes to plugins, and returns what the agent expects from them. */
  open(given: object, openEngine: OpenEngine): unknown;
}
