/** What a package registers, and what it answers to one moment of each kind it listens to. */
export interface Answers {
  /** Until it was loaded. */
  readonly ms: number;
  readonly errors?: readonly string[];
  readonly registered: Readonly<Record<string, readonly string[]>>;
  readonly answers: readonly Readonly<Record<string, unknown>>[];
}
