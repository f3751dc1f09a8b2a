import type { Capabilities } from './capabilities.ts';
import type { EffectKind, Fields } from './effects.ts';
import type { Event } from './event.ts';
import type { EventName } from './events.ts';
import type { FailureKind, Reply, Request } from './exchange.ts';
import type { Hook, Layer, OnFailure, OnOpaque, PluginOrigin } from './hook.ts';
import type { EventWord } from './native-names.ts';
import type { Answer, Outcome } from './outcome.ts';
import type { PackTerms } from './pack.ts';
import type { Problem } from './problems.ts';
import type { ToolColumn } from './tools.ts';

/** How hooks of one dialect share a native event. Data instead of branches per event. */
export interface Sharing {
  readonly order: 'in-turn' | 'together' | 'detached';
  /** Whether a later hook sees the changes of an earlier one. */
  readonly sees: 'so-far' | 'original';
  /** Effects that end the group, or keep it from starting. */
  readonly stopsOn: readonly EffectKind[];
  /** Which hook's effect counts, per kind of effect. A refusal always counts. */
  readonly keep: 'all' | 'first' | 'last';
}

/** A settings file that a dialect reads. */
export interface Place {
  readonly layer: Layer;
  readonly file: string;
  /** Working directory for commands of this file. Default: the event's directory. */
  readonly folder?: string;
  /** The dialect that owns the file. If that dialect is read too, only its entry for the file is used. */
  readonly owner?: string;
  /** Variables for commands of this file, known before the file is read. */
  readonly vars?: Readonly<Record<string, string>>;
  /** The plugin that contains the file. */
  readonly plugin?: PluginOrigin;
  /** The dialect's files could not be located; `file` is the path that failed. */
  readonly fault?: Problem;
}
/** A folder with settings of the organisation. */
export interface ManagedFolder {
  readonly folder: string;
  /** The only user who may have write access to it. */
  readonly owner: number;
  /**
   * The subfolder of the active version, if there are several. Absent if the files are in the folder itself.
   */
  readonly inForce?: string;
}
export interface Locations {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the organisation's settings are. Without it, none are read. */
  readonly managed?: ManagedFolder;
  /**
   * Lists the names in a folder, or nothing if it does not exist. For dialects whose files are in folders of
   * any name.
   */
  readonly list?: (folder: string) => readonly string[];
  /**
   * Reads a small file, or returns undefined if it does not exist. For dialects that keep a register of their
   * files.
   */
  readonly read?: (file: string) => string | undefined;
  /** Returns why an existing path cannot be listed, for example because it is a file or not readable. */
  readonly obstacle?: (folder: string) => string | undefined;
}
/** A module that a settings file names. */
export interface NamedModule {
  readonly file: string;
  readonly place: Place;
  readonly line: number;
  /** Options from the settings, passed to the module. */
  readonly options?: unknown;
  /**
   * Set if the module belongs to another dialect than the settings file. The path is then a module, or a
   * folder with a pack, of that dialect.
   */
  readonly dialect?: string;
  /** Path of the pack's settings file, relative to the folder. */
  readonly settings?: string;
  /** The settings file runs all its hooks in shadow. */
  readonly shadow?: true;
}
/** A plugin of another agent: a folder with all its files, named by a settings file. */
export interface PackFolder {
  readonly folder: string;
  readonly layer: Layer;
  /** The file with its hooks, if it is not the default one. */
  readonly settings?: string;
}
/** A module file of a dialect whose hooks are code. */
export interface ForeignModuleFile {
  readonly file: string;
  readonly layer: Layer;
  /** What asked for the module: a settings file, or the module itself. */
  readonly asker: { readonly file: string; readonly line: number };
  readonly options?: unknown;
  /**
   * Set if the file is not a module of hooks: it defines tools, or it is the entry point of an installed
   * package.
   */
  readonly as?: 'tools' | 'package';
  /** Set if the path may be a folder with several modules. */
  readonly select?: ModuleSelection;
}
/**
 * Which files of a folder are modules: those listed in its `package.json`, or, for a plain folder, also all
 * files in it.
 */
export interface ModuleSelection {
  readonly from: 'folder' | 'package';
  /** Globs. `!glob` and `-path` exclude, `+path` includes again. Default: all files. */
  readonly patterns?: readonly string[];
}
export interface ForeignModuleFiles {
  readonly modules: readonly ForeignModuleFile[];
  /** Files that are not modules but could run as commands if the host allows it. */
  readonly scripts?: readonly Hook[];
  readonly problems: readonly Problem[];
}
/** Which of several offers with the same name is used. */
export type Clash = 'first' | 'last';

export interface ConfigRead {
  readonly hooks: readonly Hook[];
  /** Modules that the settings name, and settings of the whole dialect. */
  readonly modules: readonly NamedModule[];
  readonly problems: readonly Problem[];
  /** Settings of the file for the whole engine or for all of its hooks (`order`, `journal`, `shadow`). */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** The dialect-wide settings of one file. */
export interface FileSettings {
  readonly place: Place;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Which keys of a settings entry hold the values that a user may want to change. */
export interface EntryFields {
  /** `group`: the matcher is next to the list that contains the entry, and applies to the whole list. */
  readonly matcher: { readonly key: string; readonly in: 'entry' | 'group' };
  readonly timeout: { readonly key: string; readonly unit: 'ms' | 's' };
  /** What to write into an entry so that its failure blocks, or null if the format has no such option. */
  readonly failsClosed: string | null;
}
/** A list in the dialect's own files that names switched-off hooks. */
export interface OwnSwitch {
  readonly list: readonly string[];
  nameOf(hook: Hook): string;
}
/** Files that users put where the agent does not read them, below the project folder and below home. */
export interface IgnoredPlaces {
  /** Folders of scripts. A script in them runs only if an entry names it. */
  readonly scripts: readonly string[];
  readonly settings: readonly {
    readonly file: string;
    readonly from: readonly ('project' | 'home')[];
    /** Where the settings belong. */
    readonly why: string;
  }[];
  /** Files in folders of any name, and why they are ignored. Reads the disk only through `locations`. */
  readonly elsewhere?: (locations: Locations) => readonly { readonly file: string; readonly why: string }[];
}

/** Finds the modules of a dialect whose hooks are code. The host loads them. */
export interface ModuleFinder {
  /** Returns the modules in load order. Reads the disk only through `locations.list`. */
  find(locations: Locations, named: readonly NamedModule[]): ForeignModuleFiles;
  /** Which of two modules that offer the same name is used. Default: the first. */
  readonly clash?: Readonly<Partial<Record<'tools' | 'commands' | 'renderers' | 'auth', Clash>>>;
  /** A module named by the program that calls us belongs to this dialect unless it is one of ours. */
  readonly takesNamed?: true;
}

/** Hooks and test cases that ship with the package: `anyhook init --set <dialect>`. */
export interface HookSet {
  readonly into: (locations: Pick<Locations, 'home' | 'cwd'>) => string;
  /** Maps a folder in the package to a folder below `into`. */
  readonly parts: Readonly<Record<string, string>>;
  /** Commands to run after the files are written. */
  readonly next: readonly string[];
}

/** One of our events that an agent reports as another one. */
export interface EventSubstitute {
  readonly as: EventName;
  /** Returns the payload of the other event, or null if it does not apply. */
  readonly convert: (payload: Fields) => Fields | null;
}

/**
 * A dialect is one folder with config, payload and output. It does no I/O; each part translates with `read`
 * and `write`.
 */
export interface Dialect<Name extends string = string> {
  readonly name: Name;
  /** Maps our events to native event names. `null` states explicitly that the agent has no such event. */
  readonly words: Readonly<Record<EventName, readonly string[] | null>>;
  /** Depending on the payload, the hooks of one event run, or those of the other. */
  readonly substitutes?: Readonly<Partial<Record<EventName, EventSubstitute>>>;
  /** Native events that our loader fires itself because the agent lacks them, and when it does. */
  readonly calledByLoader?: Readonly<Record<string, string>>;
  readonly hookSet?: HookSet;
  /** Its hooks are modules: `api/loader.ts` in the folder of the agent loads them. */
  readonly hooksAreCode?: true;
  readonly tools: ToolColumn;
  /**
   * Names of further tools of its agents, so that a matcher for one of them is not reported as a typo. The
   * list is maintained by hand and may be outdated: a missing name causes a warning but never disables a
   * hook.
   */
  readonly otherTools?: readonly string[];
  /** Environment variable with the session's folder, which the agent also passes to hook commands. */
  readonly projectVariable?: string;
  /**
   * Environment variable with the name of a file. The agent's shell reads its lines before later commands.
   */
  readonly exportsVariable?: string;
  readonly sharing: (word: string) => Sharing;
  /** What a hook failure means. */
  readonly failure: (word: string, why: FailureKind, hook: Hook) => OnFailure;
  /** What to do if a matcher cannot tell. Default: run the hook. */
  readonly opaque?: (word: string, hook: Hook) => OnOpaque;
  /**
   * In its agent, an `allow` before the call skips this dialect's own permission hooks. Those of other
   * dialects can still refuse.
   */
  readonly allowSkipsOwnQuestions?: true;
  /** What an agent of this dialect can really do. */
  readonly can: Capabilities;
  /**
   * In characters. A longer text of a hook for the model or the user is cut, and the whole text is saved in a
   * file.
   */
  readonly longestText?: number;
  readonly config: {
    /** Absent if its hooks are code, or if its files contain nothing of the kind. */
    readonly entry?: EntryFields;
    readonly ownSwitch?: OwnSwitch;
    readonly unread?: IgnoredPlaces;
    places(locations: Locations): readonly Place[];
    /** Returns the settings file of a pack in this folder, for a file that names the pack. */
    packPlace?(pack: PackFolder, locations: Locations): Place;
    /**
     * `wordFor` looks up an event name that is not the dialect's own. Absent if there is nothing to look it
     * up in.
     */
    read(text: string, place: Place, wordFor?: (word: string) => EventWord): ConfigRead;
    /**
     * Decides whether this file counts, given the settings of the files before it. Layers are read in order,
     * so all of the user's files come before a project's. Returns a problem that explains why the file does
     * not count, or false to ignore it silently.
     */
    admit?(place: Place, earlierSettings: readonly FileSettings[]): boolean | Problem;
    /**
     * Applies the settings of all files to a hook. Called after every file is read. Returns no hook if it is
     * switched off.
     */
    settle?(
      hook: Hook,
      earlierSettings: readonly FileSettings[],
    ): { readonly hook?: Hook; readonly problem?: Problem };
  };
  readonly payload: {
    /** Key of the event name in its payloads, if it is neither `hook_event_name` nor `event`. */
    readonly nameKey?: string;
    write(event: Event, hook: Hook): Request;
    read(native: unknown, env?: Readonly<Record<string, string | undefined>>): Event;
  };
  readonly moduleFinder?: ModuleFinder;
  /** How `anyhook add` recognises packed hooks of this dialect. */
  readonly packs?: PackTerms;
  readonly output: {
    read(reply: Reply, event: Event, hook: Hook): Answer;
    write(outcome: Outcome, event: Event): Reply;
  };
}
