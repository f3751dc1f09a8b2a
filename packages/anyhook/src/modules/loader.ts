/** Modules of other agents: how one is loaded. The same loader runs in the host's process and in a process of its own. */
import { pathToFileURL } from 'node:url';
import { ownFile } from '../own-files.mjs';
import type { Hook, Layer } from '../events/hook.ts';
import type { Offers } from '../events/offers.ts';
import type { Problem } from '../events/problems.ts';
import type { Services } from '../events/services.ts';

export interface ForeignModule {
  /** What is loaded: of a project, the trusted copy. */
  readonly file: string;
  /** What people know it by. */
  readonly shown: string;
  readonly layer: Layer;
  /** Where it was asked for: a settings file, or the module itself. */
  readonly asker: { readonly file: string; readonly line: number };
  /** What the settings hand to it. */
  readonly options?: unknown;
  /** Not a module of hooks: one that defines tools, or where an installed package starts. */
  readonly as?: 'tools' | 'package';
}
export interface LoaderTerms {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly services: Services;
  /** For loading and starting, each. */
  readonly deadlineMs: number;
  /** For one handler of a module, where its dialect has no other number; and for how long its own process may be deaf. */
  readonly handlerMs?: number;
  /** Where compiled code is kept. */
  readonly kept?: string;
}
export interface LoadedModule {
  /** Each with a way of kind `call`: its function gets what the dialect's `payload.write` wrote. */
  readonly hooks: readonly Hook[];
  readonly offers: Offers;
  readonly problems: readonly Problem[];
  /** The session is over. */
  dispose?(): Promise<void>;
}
/** Never rejects: what does not load is a problem, and a hook that is `missing` where it may have been a guard. */
export type LoadModule = (module: ForeignModule, terms: LoaderTerms) => Promise<LoadedModule>;

/** Who loads modules of one dialect. */
export interface ModuleLoader {
  /** The address of a file that exports `load`: a process of its own imports it there. */
  readonly url: string;
  /** The same file, for modules in this process. */
  import(): Promise<{ readonly load: LoadModule }>;
}
/** By dialect. Handed in by whoever assembles: nothing in this room knows an agent's code. */
export type ModuleLoaders = Readonly<Record<string, ModuleLoader>>;

/** The URL of the agent's module loader. */
export const loaderUrl = (agent: string): string => pathToFileURL(ownFile(`agents/${agent}/api/loader`)).href;
