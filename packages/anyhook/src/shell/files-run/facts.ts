/** What is known before a shell text is walked, and what a walk finds. */
export interface ShellFacts {
  readonly cwd: string;
  readonly vars: Readonly<Record<string, string>>;
  readonly top?: string;
  readonly zero?: string;
  readonly file?: string;
}

export interface ShellWalk {
  /** With the words replaced that the visitor gave another path for. */
  readonly text: string;
  /** Why it could not be parsed whole. */
  readonly error?: string;
  /** What makes it impossible to tell all that runs, in words. */
  readonly doubts: readonly string[];
  /** Programs that nobody knows, and the functions it defines: what is one file's function is no program in another. */
  readonly programs: readonly string[];
  readonly functions: readonly string[];
}
