import { AsyncLocalStorage } from 'node:async_hooks';
import type { Fields, Scene } from 'anyhook';

/** Who it happens to: the session's agent, or one of its subagents. */
export interface Seat {
  readonly session: string;
  readonly agent?: string;
  readonly scene: Partial<Scene>;
  readonly signal?: AbortSignal;
}
export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly input: Fields;
}

/** Whose request is on its way: the provider packages hand nothing through to `fetch`. */
const asking = new AsyncLocalStorage<Seat>();
export const askedFrom = <T>(seat: Seat, ask: () => T): T => asking.run(seat, ask);
export const seatAsking = (): Seat | undefined => asking.getStore();

export const idsOf = ({ session, agent }: Seat, call: string | undefined) => ({
  session,
  ...(agent !== undefined && { agent }),
  ...(call !== undefined && { call }),
});
