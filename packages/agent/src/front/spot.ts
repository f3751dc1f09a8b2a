/** A place in the session's tree that a person can go to. */
export interface Spot {
  readonly id: string;
  /** How deep it lies below the first branching. */
  readonly depth: number;
  readonly about: string;
  readonly isHere: boolean;
}
