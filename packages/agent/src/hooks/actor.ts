import { AsyncLocalStorage } from 'node:async_hooks';
import type { Fields, Scene, Usage } from 'anyhook';

/** The agent of the session or one of its subagents; events name it. */
export interface Actor {
  readonly session: string;
  readonly agent?: string;
  /** The id of the model message that is being written, or whose calls run. */
  readonly message?: string;
  readonly scene: Partial<Scene>;
  readonly signal?: AbortSignal;
  /** Tokens of the session so far. */
  readonly usage?: () => Usage;
}
export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly input: Fields;
}

/** The actor of the current request. Provider packages pass no context to `fetch`. */
const asking = new AsyncLocalStorage<Actor>();
export const askedFrom = <T>(who: Actor, ask: () => T): T => asking.run(who, ask);
export const actorAsking = (): Actor | undefined => asking.getStore();

export const idsOf = ({ session, agent, message }: Actor, call: string | undefined) => ({
  session,
  ...(agent !== undefined && { agent }),
  ...(message !== undefined && { message }),
  ...(call !== undefined && { call }),
});
