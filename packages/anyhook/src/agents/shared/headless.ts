import type { RouteTrials } from './route-trial.ts';

/**
 * How an agent is started without a terminal, against a model on loopback, with a home of its own: dummy keys, no
 * telemetry, no updates, no questions. Read by the doctor's probe and by the tests of real agents.
 */
export interface Headless {
  readonly args: (prompt: string, url: string) => readonly string[];
  /** The same, for a session that goes on where the last one in this folder has ended. */
  readonly resume?: (prompt: string, url: string) => readonly string[];
  readonly env: (url: string) => Readonly<Record<string, string>>;
  /** Files that must be there before anything is installed, below the home folder. */
  readonly files: (url: string) => Readonly<Record<string, string>>;
  /** Side routes that can be taken without a terminal. */
  readonly routes?: RouteTrials;
  /** Where it asks whatever it is told, as a proxy sees it. */
  readonly reachesOut: readonly string[];
  readonly npm: Npm;
}

/** How a pinned one is had from npm. */
export interface Npm {
  /** Without its version. `platform` is `linux-x64` and the like. */
  readonly install: (platform: string) => string;
  /** All that its program needs of what the package depends on: it is a bundle, and the registry lacks some of the rest. */
  readonly needsOnly?: readonly string[];
  /** What is started, below `node_modules`: the first that is there. */
  readonly start: (platform: string) => readonly [string, ...string[]];
  /** What starts it; null: it is a program of its own. */
  readonly by: 'node' | 'node22' | 'bun' | null;
  /** Variables by which what it makes at its first start is kept in a folder, for all homes. */
  readonly once?: (folder: string) => Readonly<Record<string, string>>;
}

export const MODEL = 'fake-model';
export const KEY = 'sk-dummy';
