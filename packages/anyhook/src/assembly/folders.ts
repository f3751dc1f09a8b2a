/** Where the user's own things live, outside every project. */
import { readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Ground } from '../canon/dialect.ts';

export interface Folders {
  /** One file per trusted hash. */
  readonly trust: string;
  /** The heads of the journal's chains: beside the trust store, apart from the journal. */
  readonly heads: string;
  readonly journal: string;
  /** Private copies of what was trusted: what runs is the bytes that were hashed. */
  readonly staged: string;
  /** Texts of hooks that were too long to be passed on whole. */
  readonly texts: string;
  /** What background hooks said, until an event of their session can carry it. */
  readonly late: string;
}

type Env = Readonly<Record<string, string | undefined>>;

export function groundOf(options: {
  readonly cwd?: string;
  readonly home?: string;
  readonly env?: Env;
}): Required<Ground> {
  const env = options.env ?? process.env;
  return {
    cwd: resolve(options.cwd ?? process.cwd()),
    // A named home is the whole truth: the process's own XDG folders would lead out of it.
    env: options.home === undefined ? env : withoutXdg(env),
    home: options.home === undefined ? homeOf() : resolve(options.home),
    list: (folder) => {
      try {
        return readdirSync(folder);
      } catch {
        return [];
      }
    },
    obstacle: obstacleAt,
  };
}

/** Nothing there is no obstacle. */
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
const NO_HOME = '/dev/null/no-home';

/** A relative home would lead into the project, whose files are not the user's. */
function homeOf(): string {
  try {
    const home = homedir();
    return isAbsolute(home) ? home : NO_HOME;
  } catch {
    return NO_HOME;
  }
}

const withoutXdg = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('XDG_')));

export function foldersOf({ home, env }: Ground): Folders {
  const base = (name: string, ...fallback: string[]) => {
    const set = env[name] ?? '';
    return join(isAbsolute(set) ? set : join(home, ...fallback), 'anyhook');
  };
  const config = base('XDG_CONFIG_HOME', '.config');
  const state = base('XDG_STATE_HOME', '.local', 'state');
  return {
    trust: join(config, 'trust'),
    heads: join(config, 'heads'),
    journal: join(state, 'journal'),
    staged: join(state, 'staged'),
    texts: join(state, 'texts'),
    late: join(state, 'late'),
  };
}
