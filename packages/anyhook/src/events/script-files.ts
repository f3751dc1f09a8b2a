/** How matchers see the files that a shell command runs. The library reads them; `shell` only asks for them. */

export interface ScriptFiles {
  /** `path` is absolute. Returns undefined if there is no such file. */
  readonly read: (path: string) => ScriptFile | undefined;
  /** Changes whenever `read` may give another answer. */
  readonly versionOf: (path: string) => string;
}

export type ScriptFile =
  | { readonly kind: 'text'; readonly text: string }
  /** A compiled program: it is judged by its name, and a shell cannot run it as a script. */
  | { readonly kind: 'binary' }
  | { readonly kind: 'unreadable'; readonly why: string };
