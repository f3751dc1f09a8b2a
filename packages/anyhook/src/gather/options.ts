/** What a program says when it opens hooks. */
import type { Capabilities } from '../events/capabilities.ts';
import type { Definition, HookSpec } from '../events/define.ts';
import type { ManagedFolder } from '../events/dialect.ts';
import type { Event } from '../events/event.ts';
import type { EventName } from '../events/events.ts';
import type { Hook, Layer } from '../events/hook.ts';
import type { HostTool } from '../events/lexicon.ts';
import type { Answer, Run } from '../events/outcome.ts';
import type { Services } from '../events/services.ts';
import type { OriginFields } from '../journal/origin.ts';
import type { HooksByEvent } from '../agents/claude-agent-sdk/dialect/hook-callback.ts';
import type { SettingsSource } from '../settings/load.ts';

export interface Options {
  /** Who fires, and what it can do. */
  readonly host: HostOptions;
  /** Hooks of the program itself. */
  readonly hooks?: ProgramHooks;
  /** What hooks that are code may call on. */
  readonly services?: Services;
  /** The project; default: the process's folder. */
  readonly cwd?: string;
  /** The home folder, where settings, trust and journal live; default: the user's. */
  readonly home?: string;
  /** Where the organisation's own hooks and policy lie; default: `/etc/anyhook`, root's. */
  readonly managed?: ManagedFolder;
  /** What command hooks inherit, and where `XDG_*` is looked up; default: the program's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whose settings are read; `false`: no files. */
  readonly settings?: false | SettingsOptions;
  /** Hooks that are modules: which ones besides those in the settings, and how they run. */
  readonly modules?: ModuleOptions;
  readonly trust?: TrustOptions;
  /** `false`: no journal. */
  readonly journal?: false | JournalOptions;
  readonly limits?: LimitOptions;
  readonly watch?: WatchOptions;
  /**
   * Where is kept what one event of an agent session leaves for the next: the guards that the session is bound to, open questions,
   * how often a stop was blocked, texts of background hooks. `memory` (default): in this process. `file`: one file per session in
   * the state folder, for programs that end before their sessions do.
   */
  readonly sessionStore?: 'memory' | 'file';
  /** Ends everything that is running. */
  readonly signal?: AbortSignal;
}

export interface HostOptions {
  readonly name: string;
  readonly version?: string;
  /** What the host really does with each effect of each event it fires. An event that is not listed never fires. */
  readonly can: Capabilities;
  /** The host's tools under names that no dialect knows. */
  readonly tools?: Readonly<Record<string, HostTool>>;
}

/** A hook given in code: gets the frozen event, answers with effects or nothing. */
export type Callback<E extends EventName = EventName> = HookSpec<E>['run'];
/** The same, with a matcher, a name, a deadline: all that `defineHook` takes besides the event. */
export type CallbackSpec<E extends EventName = EventName> = Omit<HookSpec<E>, 'on'>;
export type Callbacks = {
  readonly [E in EventName]?: Callback<E> | CallbackSpec<E> | readonly (Callback<E> | CallbackSpec<E>)[];
};
/** Functions by event: under our names they get the event, under the Claude Agent SDK's they are its callbacks. */
export type CallbacksByEvent = Callbacks & HooksByEvent;
export type ProgramHooks = CallbacksByEvent | readonly (Definition | CallbacksByEvent)[];

export interface SettingsOptions {
  readonly layers?: readonly Layer[];
  /** Dialects whose settings are read, and the order in which their hooks run; default: all. */
  readonly dialects?: readonly string[];
  /** Dialects whose settings the host reads and runs by itself: they are left to it, or their hooks would run twice. `goose@/part/`: only files with that in their path. */
  readonly without?: readonly string[];
  /** Further settings, read after the files of their layer; those of the layer `project` wait for trust. */
  readonly sources?: readonly SettingsSource[];
}

/** Which modules run in a process of their own. */
export type Isolate = 'foreign' | 'project' | 'all' | 'none';
export interface ModuleOptions {
  /** Files that the person names for this run: ours where they call `defineHook`, otherwise as oh-my-pi's. */
  readonly files?: readonly string[];
  /**
   * In a process of their own. `foreign` (default): a project's, and everybody's modules of other agents; `project`: a
   * project's only; `all`: also hooks of ours; `none`: nobody's.
   */
  readonly isolate?: Isolate;
  /** Rejects with `ModulesNeedProcess` in place of loading a module into this process: for a program that serves many sessions. */
  readonly refuseImports?: boolean;
  /**
   * `survive`: what a module in this process throws where nobody listens is named and reported, and the program goes on.
   * Listens to the whole process until it ends: for programs of your own. A module in its own process is always survived.
   */
  readonly strayErrors?: 'survive';
  /** For one module to load, and for one of another agent to start; otherwise what the person's file says, or 10 000. */
  readonly loadMs?: number;
  /** For one handler of another agent's module; default 30 000 in oh-my-pi. */
  readonly handlerMs?: number;
  /** `run`: shell-style hook files in the folders of oh-my-pi are run as commands, in place of being reported. */
  readonly scripts?: 'run';
  /**
   * `true`: a throw of an OpenCode plugin ends the event for the plugins behind it, as in OpenCode. Otherwise they still run,
   * except where a throw refuses the call.
   */
  readonly seedStrict?: boolean;
}

export interface TrustOptions {
  /** Trusted for this session by name: for machines without a person. */
  readonly hashes?: readonly string[];
  /** Folders of the project, by name from its root, that are bound whole with what is trusted now. */
  readonly folders?: readonly string[];
  /** Ids of hooks whose `allow` answers a question that another hook raised. Otherwise only the user answers it. */
  readonly approvers?: readonly string[];
  /**
   * `false`: the agent may change guards, settings, trust and journal. Otherwise, where there are hooks of settings files
   * or a journal, a built-in guard refuses such calls.
   */
  readonly selfProtection?: false;
}

export interface JournalOptions {
  readonly folder?: string;
  /** Refuse what can be refused when a record cannot be written. */
  readonly required?: boolean;
  /** Values that must never be written, besides those that look like secrets. */
  readonly secrets?: readonly string[];
  /** Sessions that were last written longer ago are removed. Without a word, none is. */
  readonly keepDays?: number;
  /** Of all sessions together; the oldest are removed beyond it. */
  readonly keepBytes?: number;
  /** How machine, user, agent and policy version stand in each record: as they are (the default), hashed, or not at all. */
  readonly origin?: OriginFields;
}

export interface LimitOptions {
  /** For one whole fire; `budgetMs` of an event may shorten it. */
  readonly budgetMs?: number;
  /** For checking what the project asks for when hooks are opened: what was not checked by then waits for trust. */
  readonly openMs?: number;
  /** All hooks decide and are recorded; nothing is enforced. */
  readonly shadow?: boolean;
  /** Only these hooks are asked, by id, also what is switched off: to try one out. */
  readonly only?: readonly string[];
}

/** For a status line. */
export interface WatchOptions {
  readonly onStart?: (hook: Hook, event: Event) => void;
  readonly onEnd?: (hook: Hook, event: Event, run: { readonly ms: number; readonly answer: Answer }) => void;
  /** What background hooks said in the end. */
  readonly onLate?: (run: Run, hook: Hook) => void;
}
