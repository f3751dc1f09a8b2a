/**
 * The interface of loaders for modules of other agents. The same loader runs in the host process and in separate
 * processes.
 */

import { pathToFileURL } from 'node:url';
import type { Hook, Layer } from '../events/hook.ts';
import type { Offers } from '../events/offers.ts';
import type { Problem } from '../events/problems.ts';
import type { Services } from '../events/services.ts';
import { ownFile } from '../own-files.mjs';

export interface ForeignModule {
  /** The file to load: for a project, the trusted copy. */
  readonly file: string;
  /** The path shown to users. */
  readonly shown: string;
  readonly layer: Layer;
  /** Where the module is referenced: a settings file, or the module itself. */
  readonly asker: { readonly file: string; readonly line: number };
  /** Options from the settings. */
  readonly options?: unknown;
  /** Set for a module that defines tools, or that is the entry point of an installed package. */
  readonly as?: 'tools' | 'package';
}
export interface LoaderTerms {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly services: Services;
  /** Timeout for loading and for starting, each. */
  readonly deadlineMs: number;
  /** Timeout for one handler if the dialect has no other, and how long the process may be unresponsive. */
  readonly handlerMs?: number;
  /** Folder for compiled code. */
  readonly kept?: string;
}
export interface LoadedModule {
  /** Hooks with `run.kind` `call`: their function receives the result of the dialect's `payload.write`. */
  readonly hooks: readonly Hook[];
  readonly offers: Offers;
  readonly problems: readonly Problem[];
  /** Called when the session ends. */
  dispose?(): Promise<void>;
}
/** Never rejects. A module that does not load becomes a problem, and a `missing` hook if it may have been a guard. */
export type LoadModule = (module: ForeignModule, terms: LoaderTerms) => Promise<LoadedModule>;

/** Loads modules of one dialect. */
export interface ModuleLoader {
  /** The URL of a file that exports `load`, imported by separate processes. */
  readonly url: string;
  /** The same file, imported in this process. */
  import(): Promise<{ readonly load: LoadModule }>;
}
/** Loaders by dialect. They are passed in, because this folder must not import agents. */
export type ModuleLoaders = Readonly<Record<string, ModuleLoader>>;

/** The URL of the agent's module loader. */
export const loaderUrl = (agent: string): string => pathToFileURL(ownFile(`agents/${agent}/api/loader`)).href;
