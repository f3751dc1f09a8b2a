/** Where the user's own things live, outside every project. */
import { readdirSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { Locations, ManagedFolder } from '../events/dialect.ts';
import type { Problem } from '../events/problems.ts';
import { MANAGED } from '../settings/managed.ts';
import { homeOf, movedInto, systemHome } from './moved.ts';
import { readSettingsFile } from '../settings/read-file.ts';
import { workingFolder } from '../settings/working-folder.ts';

export interface Folders {
  /** The user's own `hooks.json`, `hooks` and test cases, and nothing that anyhook writes. */
  readonly config: string;
  /** Everything that anyhook keeps for good: trust, heads, stood, agents, installs, pause. */
  readonly data: string;
  /** One file per trusted hash. */
  readonly trust: string;
  /** The heads of the journal's chains: beside the trust store, apart from the journal. */
  readonly heads: string;
  readonly journal: string;
  /** Private copies of what was trusted: what runs is the bytes that were hashed. */
  readonly staged: string;
  /** What people did with their guards: `settings/acts.ts`. */
  readonly acts: string;
  /** Changed when running hosts shall read their settings anew. */
  readonly reload: string;
  /** What is remembered of agent sessions, one file each: `session-files.ts`. */
  readonly sessions: string;
  /** Per project, the guards that stood in it. */
  readonly stood: string;
  /** Texts of hooks that were too long to be passed on whole. */
  readonly texts: string;
  /** Notes of bridges for proxies: `judged-calls.ts`. */
  readonly judged: string;
  /** Compiled modules, by their content: `runners/module/kept-code.mjs`. */
  readonly compiled: string;
  /** Agents that nobody has described here, one file each: `strangers.ts`. */
  readonly strangers: string;
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
  // A named home is the whole truth: the process's own XDG folders would lead out of it.
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

/** A folder that does not exist is no obstacle. */
export function obstacleAt(folder: string): string | undefined {
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
      return 'is a file, not a folder';
    readdirSync(folder);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : `cannot be looked into (${code})`;
  }
}

/** Below a file there is nothing, and nobody can put anything there: not even a project that is our folder. */
export const NO_HOME = '/dev/null/no-home';
/** A home that is not there is not made by us: then the next event would find one without hooks, and nothing wrong with it. */
const existing = (home: string | undefined): string =>
  home !== undefined && statSync(home, { throwIfNoEntry: false })?.isDirectory() === true ? home : NO_HOME;

/** Nothing of the person's own is found then, which must not look like a person who has no hooks. */
export const homeProblem = ({ home, env }: Locations): Problem | undefined =>
  home === NO_HOME
    ? {
        code: 'file-unreadable',
        file: env['HOME'] ?? home,
        key: 'HOME',
        message: 'should be your home folder, and no folder is there: no hook of yours can be read.',
        remedy: 'Let HOME lead to your home folder.',
        severity: 'error',
      }
    : undefined;

/** What leads into the project is not followed: then the system's own word for the home counts. */
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
 * Where a program names the home folder, hooks find it under the usual variables: `~/guards/g.sh` of one tenant must not be
 * a file of the server.
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
    stood: join(data, 'stood'),
    judged: join(state, 'judged'),
    compiled: join(state, 'compiled'),
    strangers: join(data, 'agents'),
  };
}
