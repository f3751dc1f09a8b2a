/** What meets inside an agent that loads code: the part that knows the agent, and the engine, which the host opens. */
import type { EventInput } from '../../events/event.ts';
import type { EventName } from '../../events/events.ts';
import type { Outcome } from '../../events/outcome.ts';

export interface InsideEngine {
  readonly wants: Readonly<Record<EventName, boolean>>;
  /** Already as strict as the person wants it. */
  fire(input: EventInput): Promise<Outcome>;
  close(): Promise<void>;
}
/** Opens the engine for this agent, in the folder that its session is about. */
export type OpenEngine = (cwd: string) => Promise<InsideEngine>;

export interface Inside {
  /** Given what the agent hands to its plugins; what comes back is what it expects of them. */
  open(given: object, openEngine: OpenEngine): unknown;
}
