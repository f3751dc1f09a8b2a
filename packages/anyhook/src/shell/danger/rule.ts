/** The form of a danger rule: a command with its options and words, why it is dangerous, and what to do instead. */
export interface DangerRule {
  /** `rm`, `git push`; several are separated by `|`. `*` is every command. */
  readonly command: string;
  /** Options by their names in `command-options.ts`. The command needs one of each entry; `|` separates alternatives. */
  readonly with?: readonly string[];
  /** Options that make the command harmless. */
  readonly without?: readonly string[];
  /** One operand must fit. */
  readonly operand?: RegExp | Distance;
  /** The first operand must fit. */
  readonly first?: RegExp | Distance;
  /** The last of several operands must fit. */
  readonly last?: RegExp | Distance;
  /** One argument must fit, options included. */
  readonly word?: RegExp;
  /** The input counts as an argument. */
  readonly readsInput?: true;
  /** The rule applies only if no argument matches. */
  readonly noWord?: RegExp;
  /** Not part of `danger:delete`, because the rule also refuses to delete what can be created again. */
  readonly isBroad?: true;
  readonly why: string;
}

/**
 * `far`: not plainly below the working folder, or the whole folder. `away`: outside the folder. `emptied`: a far folder from
 * which the same text deletes something.
 */
export type Distance = 'far' | 'away' | 'emptied';

export interface Danger {
  readonly rules: readonly DangerRule[];
  /** Paths that tools for files must not use, and why. */
  readonly files?: { readonly pattern: RegExp; readonly tools: readonly string[]; readonly why: string };
  /** Files that no redirection may write. */
  readonly writes?: { readonly pattern: RegExp; readonly why: string };
  /** Acts that only load values into variables are allowed. */
  readonly mayLoad?: true;
  /** Code that is fetched and run by the same text. */
  readonly runsFetched?: { readonly why: string };
  /** What to do instead, for the model. */
  readonly instead: string;
}

/** A word that makes an HTTP client send DELETE: `-X DELETE`, `-XDELETE`, `--request=DELETE`, `http DELETE …`. */
export const DELETE_REQUEST = /^(?:-\w*X|--request=|--method=)?DELETE$/;
