import type { RouteTrials } from './route-trial.ts';

/**
 * How to start an agent without a terminal, with a model on loopback and its own home: dummy keys, no telemetry, no
 * updates, no questions. Used by the doctor's probe and by the tests of real agents.
 */
export interface Headless {
  readonly args: (prompt: string, url: string) => readonly string[];
  /** Arguments that resume the last session of this folder. */
  readonly resume?: (prompt: string, url: string) => readonly string[];
  readonly env: (url: string) => Readonly<Record<string, string>>;
  /** Files below the home folder that must exist before the installation. */
  readonly files: (url: string) => Readonly<Record<string, string>>;
  /** Side routes that work without a terminal. */
  readonly routes?: RouteTrials;
  /** Hosts that it contacts in any case, as seen by a proxy. */
  readonly reachesOut: readonly string[];
  readonly npm: Npm;
}

/** How to install a pinned version from npm. */
export interface Npm {
  /** Package name without version. `platform` is `linux-x64` and the like. */
  readonly install: (platform: string) => string;
  /** The only dependencies that its bundled program needs. The registry lacks some of the others. */
  readonly needsOnly?: readonly string[];
  /** The file to start, below `node_modules`. The first existing one is used. */
  readonly start: (platform: string) => readonly [string, ...string[]];
  /** The runtime that starts it; null: it is a native program. */
  readonly by: 'node' | 'node22' | 'bun' | null;
  /** Variables that place the files of its first start in one folder, shared by all homes. */
  readonly once?: (folder: string) => Readonly<Record<string, string>>;
}

export const MODEL = 'fake-model';
export const KEY = 'sk-dummy';
