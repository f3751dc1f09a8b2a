/** What is put where, so that an agent reaches us. Data: nothing is read or written here. */
import type { DialectName } from '../../dialects.ts';

/** `managed`: for all users of the machine, by root. */
export type InstallScope = 'user' | 'project' | 'managed';
export interface InstallLocation {
  readonly scope: InstallScope;
  /** Of the person; of a managed installation, the root of the file system. */
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}
export interface Setup {
  /** Absolute: an agent's PATH is its own. */
  readonly node: string;
  readonly bin: string;
  /** The client for this machine: the file, and how it is started. */
  readonly client: ClientSource;
  /** The address of our built module, for agents that load us into their own process. */
  readonly moduleUrl: string;
  /** closed: where we are missing or broken, tool calls are refused. */
  readonly failure: 'closed' | 'open';
  /** What the agent cannot do is refused. */
  readonly strict?: true;
}
/** The native client is copied as it is; the Node client is started by the Node that is named in its first lines. */
export type ClientSource = { readonly kind: 'native' | 'node'; readonly file: string };
/** The same, for one agent in one place. */
export interface AgentSetup extends Setup, Pick<InstallLocation, 'scope' | 'home'> {
  readonly agent: string;
  readonly dialect: DialectName;
  /** Where the piece will stand, as a person finds it: below `~`, or below the project. */
  readonly file: string;
}

/** Entries in a settings file that is somebody else's: one more item in the list under `hooks.<word>`. */
export interface Entries {
  readonly kind: 'entries';
  readonly file: string;
  /** Fields beside `hooks` that such a file must have: written where they are missing. */
  readonly beside?: Readonly<Record<string, unknown>>;
  readonly entries: (setup: AgentSetup) => Readonly<Record<string, object>>;
}
/** A file that is ours from its first byte to its last. */
export interface Whole {
  readonly kind: 'whole';
  readonly file: string;
  readonly text: (setup: AgentSetup) => string;
}
/** Lines of ours at the end of a TOML file that is somebody else's. */
export interface Block {
  readonly kind: 'block';
  readonly file: string;
  readonly text: (setup: AgentSetup) => string;
}
export type BridgePiece = Entries | Whole | Block;
