/** Types of the options of `createHooks`. */

import type { HooksByEvent } from '../agents/claude-agent-sdk/dialect/hook-callback.ts';
import type { Capabilities } from '../events/capabilities.ts';
import type { Definition, HookSpec } from '../events/define.ts';
import type { ManagedFolder } from '../events/dialect.ts';
import type { Event } from '../events/event.ts';
import type { EventName } from '../events/events.ts';
import type { Hook, Layer } from '../events/hook.ts';
import type { HostTool } from '../events/lexicon.ts';
import type { Answer, Run } from '../events/outcome.ts';
import type { Services } from '../events/services.ts';
import type { UndoChoice } from '../events/undo-settings.ts';
import type { OriginFields } from '../journal/origin.ts';
import type { SettingsSource } from '../settings/load.ts';

export interface Options {
  /** The name of the host and its capabilities. */
  readonly host: HostOptions;
  /** Hooks defined by the program itself. */
  readonly hooks?: ProgramHooks;
  /** Services available to hooks written in code. */
  readonly services?: Services;
  /** The project folder; default: the working folder of the process. */
  readonly cwd?: string;
  /** The home folder with settings, trust and journal; default: the user's. */
  readonly home?: string;
  /** Folder with the organisation's hooks and policy; default: `/etc/anyhook`, owned by root. */
  readonly managed?: ManagedFolder;
  /** The environment of command hooks, also used to look up `XDG_*`; default: the environment of the program. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Which settings files are read; `false`: none. */
  readonly settings?: false | SettingsOptions;
  /** Modules in addition to those in the settings, and how modules run. */
  readonly modules?: ModuleOptions;
  readonly trust?: TrustOptions;
  /** `false`: no journal. */
  readonly journal?: false | JournalOptions;
  readonly limits?: LimitOptions;
  readonly watch?: WatchOptions;
  /**
   * Where state of an agent session is stored between events: bound guards, open questions, blocked stops, texts of
   * background hooks. `memory` (default): in this process. `file`: one file per session in the state folder, for
   * programs that exit before their sessions end.
   */
  readonly sessionStore?: 'memory' | 'file';
  /**
   * `true`: questions of hooks are answered from anywhere, as the user's `"approvals"` setting says; `mostMs` limits the wait. Default:
   * they are left to the host, or are refusals where it cannot ask.
   */
  readonly approvals?: boolean | { readonly mostMs: number };
  /**
   * Snapshots before and after calls that may change files, for `anyhook undo`. `false`: none. `true` or settings: on. Default: as the
   * user's `"undo"` setting says.
   */
  readonly undo?: UndoChoice;
  /** Aborts everything that is running. */
  readonly signal?: AbortSignal;
}

export interface HostOptions {
  readonly name: string;
  readonly version?: string;
  /** How the host applies each effect of each event. Events that are not listed never fire. */
  readonly can: Capabilities;
  /** Host tools with names that no dialect knows. */
  readonly tools?: Readonly<Record<string, HostTool>>;
}

/** A hook written in code: receives the frozen event, and returns effects or nothing. */
export type Callback<E extends EventName = EventName> = HookSpec<E>['run'];
/** A callback with a matcher, name and deadline: all fields of `defineHook` except the event. */
export type CallbackSpec<E extends EventName = EventName> = Omit<HookSpec<E>, 'on'>;
export type Callbacks = {
  readonly [E in EventName]?: Callback<E> | CallbackSpec<E> | readonly (Callback<E> | CallbackSpec<E>)[];
};
/**
 * Functions by event. Functions under our event names receive the event; functions under Claude Agent SDK names are its
 * callbacks.
 */
export type CallbacksByEvent = Callbacks & HooksByEvent;
export type ProgramHooks = CallbacksByEvent | readonly (Definition | CallbacksByEvent)[];

export interface SettingsOptions {
  readonly layers?: readonly Layer[];
  /** Dialects whose settings are read, in the order in which their hooks run; default: all. */
  readonly dialects?: readonly string[];
  /**
   * Dialects whose settings the host reads and runs itself. They are skipped, because their hooks would run twice.
   * `goose@/part/` skips only files with that string in their path.
   */
  readonly without?: readonly string[];
  /** Further settings, read after the files of their layer. Sources in the layer `project` wait for trust. */
  readonly sources?: readonly SettingsSource[];
}

/** Which modules run in their own process. */
export type Isolate = 'foreign' | 'project' | 'all' | 'none';
export interface ModuleOptions {
  /**
   * Files that the user names for this run: read as our format if they call `defineHook`, otherwise as oh-my-pi
   * modules.
   */
  readonly files?: readonly string[];
  /**
   * Which modules run in their own process. `foreign` (default): all modules of a project and all modules of other
   * agents; `project`: only modules of a project; `all`: every module; `none`: no module.
   */
  readonly isolate?: Isolate;
  /** Rejects with `ModulesNeedProcess` instead of importing a module. For programs that serve many sessions. */
  readonly refuseImports?: boolean;
  /**
   * `survive`: errors that a module in this process throws outside of a call are reported, and the program continues.
   * Installs process-wide listeners until the process ends, so use it only in your own programs. Modules in their own
   * process never stop the host.
   */
  readonly strayErrors?: 'survive';
  /** Timeout for loading a module, and for starting one of another agent; default: the user's file, or 10 000. */
  readonly loadMs?: number;
  /** Timeout for one handler of another agent's module; default: 30 000 in oh-my-pi. */
  readonly handlerMs?: number;
  /** `run`: runs shell hook files in the folders of oh-my-pi as commands instead of reporting them. */
  readonly scripts?: 'run';
  /**
   * `true`: an exception in an OpenCode plugin skips the remaining plugins, as in OpenCode. Otherwise they still run,
   * unless the exception refuses the call.
   */
  readonly seedStrict?: boolean;
}

export interface TrustOptions {
  /** Hashes trusted for this session, for machines without a user. */
  readonly hashes?: readonly string[];
  /** Project folders, relative to its root, whose entire contents are bound to the trust granted now. */
  readonly folders?: readonly string[];
  /** Ids of hooks whose `allow` may answer a question of another hook. Otherwise only the user can answer it. */
  readonly approvers?: readonly string[];
  /**
   * `false`: the agent may change guards, settings, trust and journal. Otherwise a built-in guard refuses such calls if
   * there are settings hooks or a journal.
   */
  readonly selfProtection?: false;
}

export interface JournalOptions {
  readonly folder?: string;
  /** Refuses all refusable calls if a record cannot be written. */
  readonly required?: boolean;
  /** Values that are never written to the journal, in addition to values that look like secrets. */
  readonly secrets?: readonly string[];
  /** Sessions without records for this many days are removed; default: never. */
  readonly keepDays?: number;
  /** Maximum total size of all sessions. The oldest are removed first. */
  readonly keepBytes?: number;
  /** How machine, user, agent and policy version are recorded: in plain text (default), hashed, or omitted. */
  readonly origin?: OriginFields;
}

export interface LimitOptions {
  /** Timeout for one fire; `budgetMs` of an event may shorten it. */
  readonly budgetMs?: number;
  /** Timeout for checking the entries of a project when hooks are opened. Unchecked entries wait for trust. */
  readonly openMs?: number;
  /** All hooks run and are recorded, but nothing is enforced. */
  readonly shadow?: boolean;
  /** Runs only the hooks with these ids, including disabled ones. For trying out a hook. */
  readonly only?: readonly string[];
}

/** Options for a status line. */
export interface WatchOptions {
  readonly onStart?: (hook: Hook, event: Event) => void;
  readonly onEnd?: (hook: Hook, event: Event, run: { readonly ms: number; readonly answer: Answer }) => void;
  /** Called with the final result of a background hook. */
  readonly onLate?: (run: Run, hook: Hook) => void;
}
