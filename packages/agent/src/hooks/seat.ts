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
