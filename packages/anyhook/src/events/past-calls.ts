/** The history of a session as modules read it. */

import type { Fields } from './effects.ts';
import type { CallState, Since } from './rule.ts';

/** An earlier call, with our names for tool and arguments. Contents of files are left out. */
export interface PastCall {
  readonly tool: string;
  readonly input: Fields;
  /** When it was called, in milliseconds since 1970. */
  readonly atMs: number;
  readonly state: CallState;
  /** The matcher could not decide whether this call fits. */
  readonly isUncertain?: true;
}
export interface HistoryQuery {
  /** A matcher, as in `hooks.json`. Default: all calls. */
  readonly match?: string;
  readonly state?: CallState;
  /** Only calls after this moment. */
  readonly since?: Since;
}
/** Returns the matching calls of one session, oldest first. Rejects if the history is missing or damaged. */
export type ReadHistory = (session: string, query?: HistoryQuery) => Promise<readonly PastCall[]>;
