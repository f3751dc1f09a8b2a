import { AsyncLocalStorage } from 'node:async_hooks';
import type { Fields, Scene } from 'anyhook';

/** Who it happens to: the session's agent, or one of its subagents. */
export interface Actor {
  readonly session: string;
  readonly agent?: string;
  /** The message of the model that is being made, or whose calls run. */
  readonly message?: string;
  readonly scene: Partial<Scene>;
  readonly signal?: AbortSignal;
}
export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly input: Fields;
}

/** Whose request is on its way: the provider packages hand nothing through to `fetch`. */
const asking = new AsyncLocalStorage<Actor>();
export const askedFrom = <T>(who: Actor, ask: () => T): T => asking.run(who, ask);
export const actorAsking = (): Actor | undefined => asking.getStore();

export const idsOf = ({ session, agent, message }: Actor, call: string | undefined) => ({
  session,
  ...(agent !== undefined && { agent }),
  ...(message !== undefined && { message }),
  ...(call !== undefined && { call }),
});
