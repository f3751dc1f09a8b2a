/** Settings of an agent that administrators write and users cannot change: their location and guarantees. */

import type { BridgePiece } from './bridge.ts';

export interface ManagedTier {
  /** What `anyhook install --managed` writes, below the root of the file system. The last piece starts us. */
  readonly pieces: (root: string) => readonly [BridgePiece, ...BridgePiece[]];
  /** What the agent enforces, regardless of user and project settings. */
  readonly holds: string;
  /** What a user with a shell and without root can still do. */
  readonly leaves: string;
}
