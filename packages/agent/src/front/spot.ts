/** An entry in the session tree that the user can navigate to. */
export interface Spot {
  readonly id: string;
  /** Number of branchings above it. */
  readonly depth: number;
  readonly about: string;
  readonly isHere: boolean;
}
