/** Describes what `install` writes where to connect an agent. Data only: nothing is read or written here. */

/** `managed`: for all users of the machine, installed by root. */
export type InstallScope = 'user' | 'project' | 'managed';
export interface InstallLocation {
  readonly scope: InstallScope;
  /** The user's home folder; for a managed installation, the root of the file system. */
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}
export interface Setup {
  /** Absolute, because an agent has its own PATH. */
  readonly node: string;
  readonly bin: string;
  /** The client for this machine: its file and kind. */
  readonly client: ClientSource;
  /** The URL of our built module, for agents that load us into their process. */
  readonly moduleUrl: string;
  /** `closed`: tool calls are refused if anyhook is missing or broken. */
  readonly failure: 'closed' | 'open';
  /** Refuse what the agent cannot do. */
  readonly strict?: true;
}
/** The native client is copied unchanged. The Node client is started by the Node in its first lines. */
export type ClientSource = { readonly kind: 'native' | 'node'; readonly file: string };
/** The setup for one agent in one location. */
export interface AgentSetup extends Setup, Pick<InstallLocation, 'scope' | 'home'> {
  readonly agent: string;
  readonly dialect: string;
  /** The location of the piece as the user sees it: below `~`, or below the project. */
  readonly file: string;
}

/** Entries in a settings file of the agent: one more item in the list under `hooks.<event>`. */
export interface Entries {
  readonly kind: 'entries';
  readonly file: string;
  /** Required fields next to `hooks`, written if they are missing. */
  readonly beside?: Readonly<Record<string, unknown>>;
  readonly entries: (setup: AgentSetup) => Readonly<Record<string, object>>;
}
/** A file that belongs entirely to us. */
export interface Whole {
  readonly kind: 'whole';
  readonly file: string;
  readonly text: (setup: AgentSetup) => string;
}
/** Our lines at the end of a TOML file of the agent. */
export interface Block {
  readonly kind: 'block';
  readonly file: string;
  readonly text: (setup: AgentSetup) => string;
}
export type BridgePiece = Entries | Whole | Block;
