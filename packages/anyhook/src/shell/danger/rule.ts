/** A dangerous act, as data: a command with its options and words, why it is dangerous, and what to do instead. */
export interface DangerRule {
  /** `rm`, `git push`; several are separated by `|`. `*` is every command. */
  readonly command: string;
  /** Options by their names in `command-options.ts`: one of each entry must be there; `|` separates alternatives. */
  readonly with?: readonly string[];
  /** With one of these it is harmless. */
  readonly without?: readonly string[];
  /** One of its words, without options, must fit; `far` is a place that is not plainly below the working folder. */
  readonly operand?: RegExp | Distance;
  /** The first of its words must fit, when others may. */
  readonly first?: RegExp | Distance;
  /** The last of its words must fit, of several. */
  readonly last?: RegExp | Distance;
  /** One of its words as written must fit, options too. */
  readonly word?: RegExp;
  /** What the line gives the command on its input counts as one of its words. */
  readonly readsInput?: true;
  /** None of its words may fit. */
  readonly noWord?: RegExp;
  /** Of its own preset only, not of `danger:delete`: it also refuses what can be made again. */
  readonly isBroad?: true;
  readonly why: string;
}

/**
 * `far`: not plainly below the working folder, or all of it; `away`: outside of it; `emptied`: far, and the same text deletes
 * what lies in it.
 */
export type Distance = 'far' | 'away' | 'emptied';

export interface Danger {
  readonly rules: readonly DangerRule[];
  /** Paths that the tools for files must not touch, and what that would do. */
  readonly files?: { readonly pattern: RegExp; readonly tools: readonly string[]; readonly why: string };
  /** Files that no redirection may write to. */
  readonly writes?: { readonly pattern: RegExp; readonly why: string };
  /** What a line only takes into its own environment is no such act. */
  readonly mayLoad?: true;
  /** Whatever is fetched and run in one go. */
  readonly runsFetched?: { readonly why: string };
  /** What to do instead, told to the model. */
  readonly instead: string;
}

/** A word that makes an HTTP client send DELETE: `-X DELETE`, `-XDELETE`, `--request=DELETE`, `http DELETE …`. */
export const DELETE_REQUEST = /^(?:-\w*X|--request=|--method=)?DELETE$/;
