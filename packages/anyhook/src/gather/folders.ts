/** Locations of the user's own files, outside every project. */

import { readdirSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { Locations, ManagedFolder } from '../events/dialect.ts';
import type { Problem } from '../events/problems.ts';
import { MANAGED } from '../settings/managed.ts';
import { readSettingsFile } from '../settings/read-file.ts';
import { workingFolder } from '../settings/working-folder.ts';
import { homeOf, movedInto, systemHome } from './moved.ts';

export interface Folders {
  /** The user's own `hooks.json`, `hooks` and test cases, and nothing that anyhook writes. */
  readonly config: string;
  /** Everything that anyhook keeps for good: trust, heads, stood, agents, installs, pause. */
  readonly data: string;
  /** Contains one file per trusted hash. */
  readonly trust: string;
  /** Heads of the journal hash chains. They are stored next to the trust store, not next to the journal. */
  readonly heads: string;
  readonly journal: string;
  /** Private copies of trusted files, so that the bytes that run are the bytes that were hashed. */
  readonly staged: string;
  /** Actions of users on their guards: see `settings/acts.ts`. */
  readonly acts: string;
  /** Touched to make running hosts reload their settings. */
  readonly reload: string;
  /** Memory of agent sessions, one file each: see `session-files.ts`. */
  readonly sessions: string;
  /** Trusted guards per project. */
  readonly trustedGuards: string;
  /** Hook texts that were too long to pass on in full. */
  readonly texts: string;
  /** Notes from bridges to MCP proxies: see `judged-calls.ts`. */
  readonly judged: string;
  /** Compiled modules by content: see `runners/module/kept-code.mjs`. */
  readonly compiled: string;
  /** Questions to the user and their answers: see `approvals/store.ts`. */
  readonly approvals: string;
  /** How far transcripts were read: see `usage/transcript.ts`. */
  readonly usage: string;
  /** Snapshots of projects before and after calls: see `undo/store.ts`. */
  readonly undo: string;
  /** When agents last called their bridges: see `bridge-calls.ts`. */
  readonly bridgeCalls: string;
  /** Agents without built-in support, one file each: see `known-agents.ts`. */
  readonly customAgents: string;
}

type Env = Readonly<Record<string, string | undefined>>;

export function locationsOf(options: {
  readonly cwd?: string;
  readonly home?: string;
  readonly env?: Env;
  readonly managed?: ManagedFolder;
}): Required<Locations> {
  const env = options.env ?? process.env;
  const cwd = resolve(options.cwd ?? workingFolder());
  // With an explicit home folder, the XDG variables of the process are ignored, because they would point outside it.
  const own =
    options.home === undefined ? ownPlaces(cwd, env) : { env: withoutXdg(env), home: resolve(options.home) };
  return {
    cwd,
    ...own,
    managed: options.managed ?? MANAGED,
    list: (folder) => {
      try {
        return readdirSync(folder);
      } catch {
        return [];
      }
    },
    read: (file) => {
      const found = readSettingsFile(file);
      return found.kind === 'text' ? found.text : undefined;
    },
    obstacle: obstacleAt,
  };
}

/** Returns why a folder cannot be opened. A missing folder is fine. */
export function obstacleAt(folder: string): string | undefined {
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
      return 'is a file, not a folder';
    readdirSync(folder);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : `cannot be opened (${code})`;
  }
}

/** Nothing can exist below a file, so not even a project can be this folder. */
export const NO_HOME = '/dev/null/no-home';
/** Refuses to create a missing home folder. Otherwise the next event would find an empty home and no problem. */
const existing = (home: string | undefined): string =>
  home !== undefined && statSync(home, { throwIfNoEntry: false })?.isDirectory() === true ? home : NO_HOME;

/** Reports a missing home folder. Without it no user hook is found, which must not look like a user without hooks. */
export const homeProblem = ({ home, env }: Locations): Problem | undefined =>
  home === NO_HOME
    ? {
        code: 'file-unreadable',
        file: env['HOME'] ?? home,
        key: 'HOME',
        message: 'is set as your home folder but does not exist, so your own hooks cannot be read.',
        remedy: 'Set HOME to your home folder.',
        severity: 'error',
      }
    : undefined;

/** Ignores variables that point into the project, and falls back to the home folder that the system reports. */
function ownPlaces(cwd: string, env: Env): { readonly env: Env; readonly home: string } {
  const moved = new Set(movedInto(cwd, env).map(({ variable }) => variable));
  if (moved.size === 0) return { env, home: existing(homeOf(env)) };
  const left = Object.fromEntries(Object.entries(env).filter(([name]) => !moved.has(name)));
  return { env: left, home: existing(moved.has('HOME') ? systemHome() : homeOf(env)) };
}

const XDG: Readonly<Record<string, string>> = {
  XDG_CONFIG_HOME: '.config',
  XDG_STATE_HOME: '.local/state',
  XDG_DATA_HOME: '.local/share',
  XDG_CACHE_HOME: '.cache',
};
/**
 * Sets the usual home variables for hooks if a program names the home folder. `~/guards/g.sh` of one tenant must not
 * resolve to a file of the server.
 */
export function homeVariables(options: {
  readonly home?: string;
  readonly env?: Env;
}): Record<string, string> {
  if (options.home === undefined) return {};
  const home = resolve(options.home);
  const env = options.env ?? process.env;
  const folders = Object.entries(XDG).filter(([name]) => env[name] !== undefined);
  return {
    HOME: home,
    ...(process.platform === 'win32' && { USERPROFILE: home }),
    ...Object.fromEntries(folders.map(([name, folder]) => [name, join(home, folder)])),
  };
}

const withoutXdg = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('XDG_')));

export function foldersOf({ home, env }: Locations): Folders {
  const base = (name: string, ...fallback: string[]) => {
    const set = env[name] ?? '';
    return join(isAbsolute(set) ? set : join(home, ...fallback), 'anyhook');
  };
  const config = base('XDG_CONFIG_HOME', '.config');
  const data = base('XDG_DATA_HOME', '.local', 'share');
  const state = base('XDG_STATE_HOME', '.local', 'state');
  return {
    config,
    data,
    trust: join(data, 'trust'),
    heads: join(data, 'heads'),
    journal: join(state, 'journal'),
    staged: join(state, 'staged'),
    texts: join(state, 'texts'),
    acts: join(state, 'acts.jsonl'),
    reload: join(state, 'reload'),
    sessions: join(state, 'sessions'),
    trustedGuards: join(data, 'stood'),
    judged: join(state, 'judged'),
    compiled: join(state, 'compiled'),
    approvals: join(state, 'approvals'),
    usage: join(state, 'usage'),
    undo: join(state, 'undo'),
    bridgeCalls: join(state, 'bridge-calls'),
    customAgents: join(data, 'agents'),
  };
}
