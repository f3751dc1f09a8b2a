import type { Capabilities } from './capabilities.ts';
import type { EffectKind, Fields } from './effects.ts';
import type { Event } from './event.ts';
import type { EventName } from './events.ts';
import type { EventWord } from './native-names.ts';
import type { FailureKind, Reply, Request } from './exchange.ts';
import type { Hook, Layer, OnFailure, OnOpaque, PluginOrigin } from './hook.ts';
import type { Answer, Outcome } from './outcome.ts';
import type { PackTerms } from './pack.ts';
import type { Problem } from './problems.ts';
import type { ToolColumn } from './tools.ts';

/** How hooks of one dialect share one of its words: four columns, no branch per event. */
export interface Sharing {
  readonly order: 'in-turn' | 'together' | 'detached';
  /** Does a later hook see an earlier one's change? */
  readonly sees: 'so-far' | 'original';
  /** Ends the group, or keeps it from starting. */
  readonly stopsOn: readonly EffectKind[];
  /** Whose effect of one kind stands; a refusal always does. */
  readonly keep: 'all' | 'first' | 'last';
}

/** A settings file a dialect reads. */
export interface Place {
  readonly layer: Layer;
  readonly file: string;
  /** Commands of this file run here; otherwise in the event's folder. */
  readonly folder?: string;
  /** The dialect whose file it is: where that one is read too, it speaks for the file alone. */
  readonly owner?: string;
  /** Variables that commands of this file are told, known before it is read. */
  readonly vars?: Readonly<Record<string, string>>;
  /** The plugin that brings it. */
  readonly plugin?: PluginOrigin;
  /** The dialect's files could not be looked for: `file` is the one on which that failed. */
  readonly fault?: Problem;
}
/** Where to look: folders, never read by the dialect itself. */
export interface ManagedFolder {
  readonly folder: string;
  /** The only user who may be able to change it. */
  readonly owner: number;
  /** Of several versions in it, the folder of the one that counts; without it everything lies in the folder itself. */
  readonly inForce?: string;
}
export interface Locations {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the organisation's own settings live; without it nobody's are read. */
  readonly managed?: ManagedFolder;
  /** Names in a folder, empty where there is none: for dialects whose files lie in folders of any name. */
  readonly list?: (folder: string) => readonly string[];
  /** The text of a small file, none where there is none: for dialects that keep a register of where their files lie. */
  readonly read?: (file: string) => string | undefined;
  /** Why something that is there cannot be listed: it is a file, it may not be read. */
  readonly obstacle?: (folder: string) => string | undefined;
}
/** A module that a settings file asks for. */
export interface NamedModule {
  readonly file: string;
  readonly place: Place;
  readonly line: number;
  /** What the settings hand to it. */
  readonly options?: unknown;
  /** Of another dialect than the file that names it: a module of that one, or a folder that holds a pack of it. */
  readonly dialect?: string;
  /** Of such a pack: its settings file, below the folder. */
  readonly settings?: string;
  /** Its settings file puts all it brings in shadow. */
  readonly shadow?: true;
}
/** A plugin of another agent, with all its files, in a folder that a settings file names. */
export interface PackFolder {
  readonly folder: string;
  readonly layer: Layer;
  /** The file in it that holds its hooks, where that is not the usual one. */
  readonly settings?: string;
}
/** A module file of a dialect whose hooks are code. */
export interface ForeignModuleFile {
  readonly file: string;
  readonly layer: Layer;
  /** Where it was asked for: a settings file, or the module itself. */
  readonly asker: { readonly file: string; readonly line: number };
  readonly options?: unknown;
  /** Not a module of hooks: one that defines tools, or where an installed package starts. */
  readonly as?: 'tools' | 'package';
  /** It may be a folder of several modules. */
  readonly select?: ModuleSelection;
}
/** Which files of a folder are modules: those that its `package.json` lists; of a plain folder, also all that lie in it. */
export interface ModuleSelection {
  readonly from: 'folder' | 'package';
  /** Globs; `!glob` and `-path` leave out, `+path` takes in again. Left out: all of them. */
  readonly patterns?: readonly string[];
}
export interface ForeignModuleFiles {
  readonly modules: readonly ForeignModuleFile[];
  /** Files that are no modules but could be run as commands, if the host is told to. */
  readonly scripts?: readonly Hook[];
  readonly problems: readonly Problem[];
}
/** Of several offers with one name: whose counts. */
export type Clash = 'first' | 'last';

export interface ConfigRead {
  readonly hooks: readonly Hook[];
  /** Modules that settings ask for, and settings of the whole dialect. */
  readonly modules: readonly NamedModule[];
  readonly problems: readonly Problem[];
  /** What the file says about the whole engine or about all of its hooks (`order`, `journal`, `shadow`). */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** What one file said about its whole dialect. */
export interface FileSettings {
  readonly place: Place;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Where an entry of a settings file keeps what a person may want to change. */
export interface EntryFields {
  /** `group`: it stands beside the list that the entry is in, and counts for all of that list. */
  readonly matcher: { readonly key: string; readonly in: 'entry' | 'group' };
  readonly timeout: { readonly key: string; readonly unit: 'ms' | 's' };
  /** What to write into an entry so that its failure blocks; null: there is no such word. */
  readonly failsClosed: string | null;
}
/** A list in the dialect's own files of single hooks that are off. */
export interface OwnSwitch {
  readonly list: readonly string[];
  nameOf(hook: Hook): string;
}
/** What people put where nobody reads it; below the project's folder, and below home. */
export interface IgnoredPlaces {
  /** Folders of scripts: lying there they do not run, an entry must name them. */
  readonly scripts: readonly string[];
  readonly settings: readonly {
    readonly file: string;
    readonly from: readonly ('project' | 'home')[];
    /** Where the settings really are. */
    readonly why: string;
  }[];
  /** Files in folders of any name, and why they are passed over. Only `locations` looks at the disk. */
  readonly elsewhere?: (locations: Locations) => readonly { readonly file: string; readonly why: string }[];
}

/** A dialect whose hooks are code: where its modules lie. A host loads them. */
export interface ModuleFinder {
  /** In the order in which they are loaded; only `locations.list` looks at the disk. */
  find(locations: Locations, named: readonly NamedModule[]): ForeignModuleFiles;
  /** Two modules offer the same name: whose counts. Without a word, the first. */
  readonly clash?: Readonly<Partial<Record<'tools' | 'commands' | 'renderers' | 'auth', Clash>>>;
  /** A module that a program's caller names, and that is not one of ours, is one of this dialect's. */
  readonly takesNamed?: true;
}

/** Hooks with their cases that come with the package: `anyhook init --set <dialect>`. */
export interface HookSet {
  readonly into: (locations: Pick<Locations, 'home' | 'cwd'>) => string;
  /** Folder in the package → folder below `into`. */
  readonly parts: Readonly<Record<string, string>>;
  /** Commands to run once it is written. */
  readonly next: readonly string[];
}

/** An event of ours that an agent tells as another one. */
export interface Retelling {
  readonly as: EventName;
  /** The other event's payload; null: not this time. */
  readonly tell: (payload: Fields) => Fields | null;
}

/** A dialect is one folder: config, payload, output. It touches nothing; each part translates with read and write. */
export interface Dialect<Name extends string = string> {
  readonly name: Name;
  /** Our event → its words; `null` is a decision: it has no such event. */
  readonly words: Readonly<Record<EventName, readonly string[] | null>>;
  /** By what the payload says: hooks of the one word hear it, those of the other do not. */
  readonly retells?: Readonly<Partial<Record<EventName, Retelling>>>;
  /** Words that our loader calls by itself where the agent lacks the event → when it does. */
  readonly calledByLoader?: Readonly<Record<string, string>>;
  readonly hookSet?: HookSet;
  readonly tools: ToolColumn;
  /**
   * Names of tools that its agents have besides, so that a matcher for one of them is not taken for a slip. Written down
   * by hand, and stale sooner or later: a name that is missing costs a warning, never a hook.
   */
  readonly otherTools?: readonly string[];
  /** The variable in which its agent says which folder the session is about, also to the commands of hooks. */
  readonly projectVariable?: string;
  /** The variable that names a file for lines which its shell reads before later commands. */
  readonly exportsVariable?: string;
  readonly sharing: (word: string) => Sharing;
  /** What a broken hook is taken to mean. */
  readonly failure: (word: string, why: FailureKind, hook: Hook) => OnFailure;
  /** What it is taken to mean when a matcher cannot tell; without it such a hook is asked. */
  readonly opaque?: (word: string, hook: Hook) => OnOpaque;
  /** In its agent an `allow` before the call skips this dialect's own permission hooks. Those of other dialects can still refuse. */
  readonly allowSkipsOwnQuestions?: true;
  /** What an agent of this dialect can really do. */
  readonly can: Capabilities;
  /** In characters: what a hook tells model or person beyond it is cut, and the whole kept in a file. */
  readonly longestText?: number;
  readonly config: {
    /** Left out: its hooks are code, or there is nothing of the kind to be changed in its files. */
    readonly entry?: EntryFields;
    readonly ownSwitch?: OwnSwitch;
    readonly unread?: IgnoredPlaces;
    places(locations: Locations): readonly Place[];
    /** Where the hooks of a pack stand that lies in this folder, for a file that names it. */
    packPlace?(pack: PackFolder, locations: Locations): Place;
    /** `wordFor`: what a word that is not the dialect's own means elsewhere; left out: nobody is there to say. */
    read(text: string, place: Place, wordFor?: (word: string) => EventWord): ConfigRead;
    /**
     * Does this file count, after what the files before it said? Layers are read in their order, so a project's file
     * is asked about when all of the user's have spoken. A problem says why it does not; false: nobody need be told.
     */
    admit?(place: Place, said: readonly FileSettings[]): boolean | Problem;
    /** The hook after what all files said; none: it is switched off. Asked when every file has been read. */
    settle?(hook: Hook, said: readonly FileSettings[]): { readonly hook?: Hook; readonly problem?: Problem };
  };
  readonly payload: {
    /** Where its payloads have the event's name, if not in `hook_event_name` or `event`. */
    readonly nameKey?: string;
    write(event: Event, hook: Hook): Request;
    read(native: unknown, env?: Readonly<Record<string, string | undefined>>): Event;
  };
  readonly moduleFinder?: ModuleFinder;
  /** By what `anyhook add` knows hooks of this dialect that somebody packed. */
  readonly packs?: PackTerms;
  readonly output: {
    read(reply: Reply, event: Event, hook: Hook): Answer;
    write(outcome: Outcome, event: Event): Reply;
  };
}
