/** What a program says when it opens hooks. */
import type { Capabilities } from '../canon/capabilities.ts';
import type { Definition } from '../canon/define.ts';
import type { Event } from '../canon/event.ts';
import type { EffectFor, EventName } from '../canon/events.ts';
import type { Hook, Layer } from '../canon/hook.ts';
import type { HostTool } from '../canon/lexicon.ts';
import type { Answer, Run } from '../canon/outcome.ts';
import type { Services } from '../canon/services.ts';
import type { HooksByEvent } from '../dialects/claude-agent-sdk/hook-callback.ts';
import type { Source } from '../settings/load.ts';

export interface HostOptions {
  readonly name: string;
  readonly version?: string;
  /** What the host really does with each effect of each event it fires. An event that is not listed never fires. */
  readonly can: Capabilities | 'everything';
  /** The host's tools under names that no dialect knows. */
  readonly tools?: Readonly<Record<string, HostTool>>;
}

/** A hook given in code: gets the frozen event, answers with effects or nothing. */
export type Callback<E extends EventName = EventName> = (
  event: Event<E>,
) => EffectFor<E> | readonly EffectFor<E>[] | void | Promise<EffectFor<E> | readonly EffectFor<E>[] | void>;
export type Callbacks = { readonly [E in EventName]?: Callback<E> | readonly Callback<E>[] };

export interface JournalOptions {
  readonly folder?: string;
  /** Refuse what can be refused when a record cannot be written. */
  readonly required?: boolean;
  /** Values that must never be written, besides those that look like secrets. */
  readonly secrets?: readonly string[];
}

export interface TrustOptions {
  /** Trusted for this session by name: for machines without a person. */
  readonly hashes?: readonly string[];
}

/** Which modules run in a process of their own. */
export type Isolate = 'project' | 'all' | 'none';

export interface Options {
  readonly host: HostOptions;
  /** The project; default: the process's folder. */
  readonly cwd?: string;
  /** The home folder, where settings, trust and journal live; default: the user's. */
  readonly home?: string;
  /** What command hooks inherit, and where `XDG_*` is looked up; default: the program's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Dialects whose settings are read, and the order in which their hooks run; default: all. */
  readonly dialects?: readonly string[];
  /** Dialects whose settings the host reads and runs by itself: they are left to it, or their hooks would run twice. `goose@/part/`: only files with that in their path. */
  readonly without?: readonly string[];
  /** Which settings files count; `false`: none. */
  readonly settings?: false | { readonly layers?: readonly Layer[] };
  /** Further settings, read after the files of their layer; those of the layer `project` wait for trust. */
  readonly sources?: readonly Source[];
  /** Module files that the person names for this run: ours where they call `defineHook`, otherwise as oh-my-pi's. */
  readonly modules?: readonly string[];
  /** Hooks of the program itself. */
  readonly hooks?: readonly Definition[];
  /** Functions by event: under our names they get the event, under the Claude Agent SDK's they are its callbacks. */
  readonly callbacks?: Callbacks & HooksByEvent;
  readonly services?: Services;
  /** Modules that run in a process of their own: a project's by default; your own with `all`; nobody's with `none`. */
  readonly isolate?: Isolate;
  /** For modules of other agents: loading and starting one, each (10 000), and one handler of theirs (30 000 in oh-my-pi). */
  readonly deadlines?: { readonly loadMs?: number; readonly handlerMs?: number };
  /** `run`: shell-style hook files in the folders of oh-my-pi are run as commands, in place of being reported. */
  readonly scripts?: 'run';
  /** `false`: no journal. */
  readonly journal?: false | JournalOptions;
  readonly trust?: TrustOptions;
  /**
   * `false`: the agent may change guards, settings, trust and journal. Otherwise, where there are hooks of settings files
   * or a journal, a built-in guard refuses such calls.
   */
  readonly selfProtection?: false;
  /** Only these hooks are asked, by id, also what is switched off: to try one out. */
  readonly only?: readonly string[];
  /** Ends everything that is running. */
  readonly signal?: AbortSignal;
  /** All hooks decide and are recorded; nothing is enforced. */
  readonly shadow?: boolean;
  /** For one whole fire. */
  readonly budgetMs?: number;
  /** When everything must be over, our own start included, on the clock of `performance.now()`: for one-shot hosts. */
  readonly until?: number;
  /** `long-lived` starts command hooks from a small process of their own; `one-shot` is for a program about to end. */
  readonly mode?: 'long-lived' | 'one-shot';
  readonly onLate?: (run: Run, hook: Hook) => void;
  readonly onStart?: (hook: Hook, event: Event) => void;
  readonly onEnd?: (hook: Hook, event: Event, run: { readonly ms: number; readonly answer: Answer }) => void;
}
