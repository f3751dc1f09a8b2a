/** The settings of an agent that the machine's owner writes and its users do not: where they lie, and what they are worth. */
import type { BridgePiece } from './bridge.ts';

export interface ManagedTier {
  /** What `anyhook install --managed` puts where, below the root of the file system; the last piece is the one that starts us. */
  readonly pieces: (root: string) => readonly [BridgePiece, ...BridgePiece[]];
  /** What the agent holds to, whatever its user's and a project's own settings say. */
  readonly holds: string;
  /** What a user with a shell and without root still can. */
  readonly leaves: string;
}
