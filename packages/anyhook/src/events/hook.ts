import type { Event } from './event.ts';
import type { HookFailure } from './exchange.ts';
import type { CallTest, Rule } from './rule.ts';
import type { ScriptFiles } from './script-files.ts';

export type Layer = 'managed' | 'user' | 'project' | 'session';
export const LAYERS = ['managed', 'user', 'project', 'session'] as const satisfies readonly Layer[];

export interface Origin {
  readonly layer: Layer;
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  readonly plugin?: PluginOrigin;
}
/** A plugin: hooks and their code, installed together by an agent. */
export interface PluginOrigin {
  readonly name: string;
  /** Its code is below this folder, independent of the project. */
  readonly root: string;
  /** The settings file that enables it, if one is needed. */
  readonly asker?: string;
}

/** The `file` of a built-in hook. */
export const BUILT_IN = '(built in)';
export const isBuiltIn = ({ origin }: Pick<Hook, 'origin'>): boolean => origin.file === BUILT_IN;

/** Returns true for hooks of the organisation, which users cannot disable, pause or run in shadow. */
export const isOrganisations = ({ origin }: Pick<Hook, 'origin'>): boolean =>
  origin.layer === 'managed' && !isBuiltIn({ origin });

/** guard: may decide; mutator: may change; observer: only watches. */
export type Role = 'guard' | 'mutator' | 'observer';
export type OnFailure = 'allow' | 'ask' | 'block';
/** What to do if a matcher cannot tell; `run` runs the hook as if it matched. */
export type OnOpaque = OnFailure | 'run';
/** Whether a hook matches an event; `matched` says where, `opaque` is the reason why the matcher cannot tell. */
export type Fit = boolean | { readonly matched: string } | { readonly opaque: string };

/** A compiled matcher for the event's subject, in a form that selection can index. */
export type Match =
  | { readonly kind: 'any' }
  /** Exact names, compared with every spelling of a tool's name. */
  | { readonly kind: 'names'; readonly names: readonly string[] }
  /** A pattern, tested against the dialect's own name of the tool. Must not hang: see `events/pattern.ts`. */
  | { readonly kind: 'pattern'; readonly source: string; readonly test: (subject: string) => boolean };

export interface Ways {
  command: {
    /** A shell command line, or a program with its arguments. */
    readonly run:
      | { readonly line: string; readonly shell?: string }
      | { readonly argv: readonly [string, ...string[]] };
    /** Fixed working directory. Default: the request's. */
    readonly cwd?: string;
    /** `inherit`, or the names that may pass. A trailing `*` is a wildcard, a leading `!` excludes a name. */
    readonly env: 'inherit' | readonly string[];
    readonly set?: Readonly<Record<string, string>>;
    /** Folders to create before it starts. */
    readonly folders?: readonly string[];
    /**
     * A spare process may be started ahead and wait for the next event on stdin. Only for hooks that get no
     * event data through the environment.
     */
    readonly warm?: 'prespawn';
  };
  call: {
    readonly fn: (...args: never[]) => unknown;
    /** The `this` value of a direct call. Not bound, because a bound call takes 50 % longer. */
    readonly self?: object;
    /** Receives the shared frozen event and returns effects, without copies or translation. */
    readonly direct?: true;
    /** A refusal of ours that depends only on the matcher. A project's entry can be trusted without other content. */
    readonly isPreset?: true;
  };
  /** A module in its own process; `index` selects one of the hooks that it defines. */
  isolated: { readonly file: string; readonly index: number };
  prompt: {
    readonly text: string;
    readonly model?: string;
    /** The judge may read the project before it answers. */
    readonly looks?: true;
  };
  http: {
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** Variables that header values may refer to. */
    readonly env?: readonly string[];
  };
  /**
   * The dialect writes the tool's arguments as JSON into the request body, static or built from the event.
   */
  mcp: {
    /** How to reach the server, or its name. Without it, the host's own client calls the tool. */
    readonly server?: string | McpServer;
    readonly tool: string;
    readonly input?: Readonly<Record<string, unknown>>;
    /** The argument that receives the event. */
    readonly passEvent?: string;
  };
  /** A rule over time. `test` selects the earlier calls that it counts. */
  rule: { readonly rule: Rule; readonly test: CallTest };
  /** A hook that could not be read, loaded or trusted. It fails by its policy instead of disappearing. */
  missing: { readonly why: HookFailure };
}
/** An MCP server: a program with stdio transport, or a URL. */
export type McpServer =
  | {
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> };
export type WayKind = keyof Ways;
export type WayOf<K extends WayKind> = { [P in K]: { readonly kind: P } & Ways[P] }[K];
export type Way = WayOf<WayKind>;

/** One configured hook, from any kind of settings file. */
export interface Hook {
  readonly id: string;
  readonly dialect: string;
  /** The native event name. One of our events can have several. */
  readonly on: string;
  readonly origin: Origin;
  /** Other settings that configured the same hook. */
  readonly also?: readonly Origin[];
  readonly roles: readonly Role[];
  readonly match: Match;
  /** Display name. Default: what the hook runs. */
  readonly label?: string;
  /** The matcher as the author wrote it, for display. */
  readonly matcher?: string;
  /** The condition of a matcher that reads more than the subject (`Bash(git *)`). */
  readonly when?: (event: Event, scripts?: ScriptFiles) => Fit;
  /** As the author wrote it. Default: the dialect's rule. */
  readonly opaque?: OnOpaque;
  readonly run: Way;
  /**
   * The hook judges only by the text of the call. It runs before the hooks of all dialects, so that they
   * cannot use up its time, and even after another such hook has refused.
   */
  readonly isFirst?: true;
  /** Started in order, but not waited for. */
  readonly background: boolean;
  /** Background hooks with the same queue run one after another, also across events. */
  readonly queue?: string;
  /** The hook runs and is recorded, but its decision is not enforced. */
  readonly shadow: boolean;
  /** `false`: its refusals are not remembered. */
  readonly sticky?: false;
  /** Why the organisation currently does not enforce it for this user, and until when. */
  readonly exception?: string;
  readonly timeoutMs: number;
  readonly onFailure?: OnFailure;
  /** Displayed while the hook runs. */
  readonly status?: string;
  /**
   * Set if the hook runs from a private copy: the command as the user wrote it, and the path of the copy with
   * the original path, for messages.
   */
  readonly copy?: { readonly what: string; readonly at: string; readonly of: string };
  /** The command as the author wrote it, if another form of it runs. */
  readonly written?: string;
  /** Options that only its own dialect understands (`protocol: "json"`). */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/**
 * Returns the display name of a hook: its given name, or what it runs. A default export has the name of its
 * module.
 */
export function label(hook: Hook): string {
  const { label: given, id, origin } = hook;
  if (given !== undefined) return given;
  const [, exported, nth = ''] = /#((?!\d+$)[^#[]+)(\[\d+\])?$/.exec(id) ?? [];
  if (exported === 'default') return `${stemOf(origin.file)}${nth}`;
  return (nth === '' ? exported : undefined) ?? commandOf(hook) ?? id;
}

/** Returns a name for refusals that a model reads, without command line or folder. */
export function shortLabel({ label: given, id, origin }: Hook): string {
  const exported = /#((?!\d+$)(?!default\b)[^#[]+)$/.exec(id)?.[1];
  const name = given ?? exported;
  const file = /[^/\\]+$/.exec(origin.file)?.[0] ?? origin.file;
  return name === undefined ? `hook in ${file}:${origin.line}` : `hook "${name}"`;
}

const stemOf = (file: string): string => /([^/\\]+?)(?:\.\w+)?$/.exec(file)?.[1] ?? file;

/** Returns the command of a command hook, as its author wrote it. */
export function commandOf({ run, copy, written }: Hook): string | undefined {
  if (run.kind !== 'command') return undefined;
  return copy?.what ?? written ?? ('line' in run.run ? run.run.line : run.run.argv.join(' '));
}

/**
 * Returns true for a script of only comments. Such a script always succeeds, whatever it was meant to guard.
 */
export const isBlankScript = (script: string): boolean =>
  script.split('\n').every((line) => /^\s*(?:#.*)?$/.test(line));

/** Replaces paths of the private copy with the user's own paths. */
export const inOwnPaths = (text: string, { copy }: Pick<Hook, 'copy'>): string =>
  copy === undefined ? text : text.replaceAll(copy.at, copy.of);
