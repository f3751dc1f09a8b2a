import type { Event } from './event.ts';
import type { HookFailure } from './exchange.ts';

export type Layer = 'managed' | 'user' | 'project' | 'session';
export const LAYERS = ['managed', 'user', 'project', 'session'] as const satisfies readonly Layer[];

export interface Origin {
  readonly layer: Layer;
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  readonly plugin?: PluginOrigin;
}
/** What an agent installs as one thing, hooks and the code they run. */
export interface PluginOrigin {
  readonly name: string;
  /** Its code lies in here, wherever the project is. */
  readonly root: string;
  /** The settings file that switches it on, where it takes one. */
  readonly asker?: string;
}

/** The file of a hook that is part of us. */
export const BUILT_IN = '(built in)';
export const isBuiltIn = ({ origin }: Pick<Hook, 'origin'>): boolean => origin.file === BUILT_IN;

/** Laid down by the organisation: nobody on this machine switches it off, pauses it or puts it in shadow. */
export const isOrganisations = ({ origin }: Pick<Hook, 'origin'>): boolean =>
  origin.layer === 'managed' && !isBuiltIn({ origin });

/** guard: may decide; mutator: may change; observer: only watches. */
export type Role = 'guard' | 'mutator' | 'observer';
export type OnFailure = 'allow' | 'ask' | 'block';
/** What it means when a matcher cannot tell; `run` asks the hook, as though it matched. */
export type OnOpaque = OnFailure | 'run';
/** Whether a hook is about an event; `opaque` says why that could not be told. */
export type Fit = boolean | { readonly opaque: string };

/** What a matcher of the event's subject came to, so that selection can index it. */
export type Match =
  | { readonly kind: 'any' }
  /** Exact words; compared with every spelling of a tool's name. */
  | { readonly kind: 'names'; readonly names: readonly string[] }
  /** A pattern; tested against the dialect's own spelling. Must not hang: see `events/pattern.ts`. */
  | { readonly kind: 'pattern'; readonly source: string; readonly test: (subject: string) => boolean };

export interface Ways {
  command: {
    /** A line for a shell, or a program with its arguments. */
    readonly run:
      | { readonly line: string; readonly shell?: string }
      | { readonly argv: readonly [string, ...string[]] };
    /** Fixed folder; otherwise the request's. */
    readonly cwd?: string;
    /** `inherit`, or the names (with a trailing `*` as wildcard) that may pass; one with a leading `!` may not. */
    readonly env: 'inherit' | readonly string[];
    readonly set?: Readonly<Record<string, string>>;
    /** Folders that it may take for granted: made before it starts. */
    readonly folders?: readonly string[];
    /** A fresh process of it may wait for the next event at its stdin. Only where nothing of an event comes by environment. */
    readonly warm?: 'prespawn';
  };
  call: {
    readonly fn: (...args: never[]) => unknown;
    /** What `this` is in a direct one. Not bound to it: that would make each call half as dear again. */
    readonly self?: object;
    /** Gets the one frozen event and answers with effects: no copy, no translation. */
    readonly direct?: true;
  };
  /** A module in a process of its own; `index` names one of the hooks it defines. */
  isolated: { readonly file: string; readonly index: number };
  prompt: {
    readonly text: string;
    readonly model?: string;
    /** Its judge may look around in the project before it answers. */
    readonly looks?: true;
  };
  http: {
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** Variables that a header's value may name. */
    readonly env?: readonly string[];
  };
  /** The dialect writes the tool's arguments, as JSON, into the request's body: static ones, or made from the event. */
  mcp: {
    /** How to reach it, or its name; without either the host's own client knows the tool. */
    readonly server?: string | McpServer;
    readonly tool: string;
    readonly input?: Readonly<Record<string, unknown>>;
    /** The argument under which the event is passed along. */
    readonly passEvent?: string;
  };
  /** Could not be read, loaded or trusted, but was there: it fails by its policy instead of vanishing. */
  missing: { readonly why: HookFailure };
}
/** A server of the Model Context Protocol: a program that speaks on its stdin and stdout, or an address. */
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

/** One configured thing to run, whatever file it came from. */
export interface Hook {
  readonly id: string;
  readonly dialect: string;
  /** The dialect's own word for the event; one event of ours can be several of theirs. */
  readonly on: string;
  readonly origin: Origin;
  /** Other places that configured the same thing. */
  readonly also?: readonly Origin[];
  readonly roles: readonly Role[];
  readonly match: Match;
  /** What people call it; otherwise what it runs is shown. */
  readonly label?: string;
  /** As the author wrote it, for people. */
  readonly matcher?: string;
  /** The part of a matcher that looks deeper than the subject (`Bash(git *)`). */
  readonly when?: (event: Event) => Fit;
  /** As the author wrote it; otherwise its dialect says. */
  readonly opaque?: OnOpaque;
  readonly run: Way;
  /**
   * It judges by what the call says alone. Asked before the hooks of every dialect, so that none of them can use up its time,
   * and also where another of its kind has refused already.
   */
  readonly isFirst?: true;
  /** Started in its turn, not waited for. */
  readonly background: boolean;
  /** Background hooks of one queue run one after another, also those of a later event. */
  readonly queue?: string;
  /** Decides, is recorded, is not enforced. */
  readonly shadow: boolean;
  /** Why the organisation does not enforce it for this user now, and until when. */
  readonly exception?: string;
  readonly timeoutMs: number;
  readonly onFailure?: OnFailure;
  /** Shown while it runs. */
  readonly status?: string;
  /** It runs from a private copy: what people wrote, and what of a path to put back where they are told of it. */
  readonly copy?: { readonly what: string; readonly at: string; readonly of: string };
  /** The command as its author wrote it, where another spelling of it runs. */
  readonly written?: string;
  /** What only its own dialect understands (`protocol: "json"`). */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** What a person calls a hook: the name it was given, or what it runs. The one that a module exports is the module. */
export function label(hook: Hook): string {
  const { label: given, id, origin } = hook;
  if (given !== undefined) return given;
  const [, exported, nth = ''] = /#((?!\d+$)[^#[]+)(\[\d+\])?$/.exec(id) ?? [];
  if (exported === 'default') return `${stemOf(origin.file)}${nth}`;
  return (nth === '' ? exported : undefined) ?? commandOf(hook) ?? id;
}

/** For refusals that a model reads: neither a command line nor a folder. */
export function shortLabel({ label: given, id, origin }: Hook): string {
  const exported = /#((?!\d+$)(?!default\b)[^#[]+)$/.exec(id)?.[1];
  const name = given ?? exported;
  const file = /[^/\\]+$/.exec(origin.file)?.[0] ?? origin.file;
  return name === undefined ? `hook in ${file}:${origin.line}` : `hook "${name}"`;
}

const stemOf = (file: string): string => /([^/\\]+?)(?:\.\w+)?$/.exec(file)?.[1] ?? file;

/** What a command hook runs, as its author wrote it. */
export function commandOf({ run, copy, written }: Hook): string | undefined {
  if (run.kind !== 'command') return undefined;
  return copy?.what ?? written ?? ('line' in run.run ? run.run.line : run.run.argv.join(' '));
}

/** A script of nothing but comments ends well, whatever it was meant to guard. */
export const isBlankScript = (script: string): boolean =>
  script.split('\n').every((line) => /^\s*(?:#.*)?$/.test(line));

/** A text that may name files of the private copy, with the person's own paths instead. */
export const inOwnPaths = (text: string, { copy }: Pick<Hook, 'copy'>): string =>
  copy === undefined ? text : text.replaceAll(copy.at, copy.of);
