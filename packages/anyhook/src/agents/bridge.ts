/** What is put where, so that an agent reaches us. Data: nothing is read or written here. */

export type Scope = 'user' | 'project';
export interface Where {
  readonly scope: Scope;
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}
export interface Setup {
  /** Absolute: an agent's PATH is its own. */
  readonly node: string;
  readonly bin: string;
  /** The address of one of our built modules, for agents that load us into their own process. */
  readonly moduleUrl: (name: string) => string;
  /** closed: where we are missing or broken, tool calls are refused. */
  readonly failure: 'closed' | 'open';
  /** What the agent cannot do is refused. */
  readonly strict?: true;
}

/** Entries in a settings file that is somebody else's: one more item in the list under `hooks.<word>`. */
export interface Entries {
  readonly kind: 'entries';
  readonly file: string;
  readonly entries: Readonly<Record<string, object>>;
}
/** A file that is ours from its first byte to its last. */
export interface Whole {
  readonly kind: 'whole';
  readonly file: string;
  readonly text: string;
}
export type Piece = Entries | Whole;

export interface Bridge {
  /** In whose words it speaks to us. */
  readonly dialect: string;
  readonly pieces: (where: Where, setup: Setup) => readonly Piece[];
}
