/** Hooks that somebody packed: a folder of files, known by its dialect, and how a settings file names what is in it. */
import type { Fields } from './effects.ts';

/** An item of `hookPaths`; paths are below the pack. */
export type PackEntry =
  | string
  | { readonly path: string; readonly dialect: string; readonly settings?: string };

/** A folder as it is looked at: the dialect itself touches nothing. */
export interface PackLook {
  /** Paths below it, with `/`. */
  readonly files: readonly string[];
  /** Its `package.json`; empty where there is none. */
  readonly manifest: Fields;
  json(path: string): Fields | undefined;
  /** Is it a module of ours: does it call `defineHook`, or hold callbacks by event? */
  holdsOwnHooks(path: string): boolean;
  /** Where its `package.json` says that it starts. */
  start(): string | undefined;
  /** What its `package.json` lists as extensions, or what lies where those lie. */
  extensions(): readonly string[];
}
/** What one folder is to one dialect. */
export interface KnownPack {
  readonly entries: readonly PackEntry[];
  /** The files that hold hooks, for people. */
  readonly modules: readonly string[];
}
export interface PackTerms {
  /** None: it holds no hooks of this dialect. */
  known(look: PackLook): KnownPack | undefined;
  /** A module by itself, by its text: it is evaluated only when it is loaded. */
  claims?(text: string): boolean;
}

const NEEDS = ['dependencies', 'peerDependencies', 'devDependencies'] as const;

/** Is it written against a package of this name? */
export const needsPackage = (manifest: Fields, name: RegExp): boolean =>
  NEEDS.some((key) => Object.keys((manifest[key] ?? {}) as object).some((one) => name.test(one)));

export const keywordsOf = (manifest: Fields): string[] =>
  Array.isArray(manifest['keywords']) ? manifest['keywords'].map(String) : [];
