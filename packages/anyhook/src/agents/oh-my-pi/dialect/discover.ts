/** Finds hook files in the folders of oh-my-pi, Claude Code and Codex, for the user and the project. */

import { join } from 'node:path';

/** Lists a folder: sorted, without dot files, empty if it is missing. */
export interface FolderReader {
  files(folder: string): readonly string[];
  folders(folder: string): readonly string[];
  /** Returns why the folder cannot be read. */
  obstacle(folder: string): string | undefined;
}
export interface SkippedFile {
  readonly path: string;
  readonly error: string;
}

export interface DiscoveredHook {
  /** The file name with extension. */
  readonly name: string;
  readonly path: string;
  readonly type: 'pre' | 'post';
  /** The tool in the file name; `*`: all. Only for display and the key: a module chooses its events itself. */
  readonly tool: string;
  readonly level: 'user' | 'project';
  readonly provider: string;
  /** An earlier file has the same type, tool and name. */
  readonly shadowed?: true;
}
export interface Discovery {
  readonly hooks: readonly DiscoveredHook[];
  /** Found but not used. */
  readonly shadowed: readonly DiscoveredHook[];
  readonly warnings: readonly SkippedFile[];
}
interface Root {
  readonly folder: string;
  readonly level: DiscoveredHook['level'];
}
interface FoundHooks {
  readonly hooks: readonly DiscoveredHook[];
  readonly warnings: readonly SkippedFile[];
}
interface Provider {
  readonly name: string;
  readonly priority: number;
  /** User folders come first, because a cloned project must not replace a user guard by using its name. */
  roots(home: string, cwd: string): readonly Root[];
  find(root: Root, look: FolderReader): FoundHooks;
}

const PROVIDERS: readonly Provider[] = [
  {
    name: 'native',
    priority: 100,
    roots: (home, cwd) => [
      { folder: join(home, '.omp', 'agent', 'hooks'), level: 'user' },
      { folder: join(home, '.omp', 'hooks'), level: 'user' },
      { folder: join(cwd, '.omp', 'hooks'), level: 'project' },
    ],
    find(root, look) {
      const hooks = preAndPost(root, look, this.name, (file) => file.replace(/\.[^.]*$/, ''));
      return { hooks, warnings: [...misplaced(root, look), ...nested(root, look)] };
    },
  },
  {
    name: 'claude',
    priority: 80,
    roots: (home, cwd) => [
      { folder: join(home, '.claude', 'hooks'), level: 'user' },
      { folder: join(cwd, '.claude', 'hooks'), level: 'project' },
    ],
    // Files next to `pre` and `post` are Claude Code's own scripts.
    find(root, look) {
      return {
        hooks: preAndPost(root, look, this.name, (file) => file.replace(/\.(sh|bash|zsh|fish)$/, '')),
        warnings: [],
      };
    },
  },
  {
    name: 'codex',
    priority: 70,
    roots: (home, cwd) => [
      { folder: join(home, '.codex', 'hooks'), level: 'user' },
      { folder: join(cwd, '.codex', 'hooks'), level: 'project' },
    ],
    find(root, look) {
      return { hooks: flat(root, look, this.name), warnings: [] };
    },
  },
];

export function discover(home: string, cwd: string, look: FolderReader): Discovery {
  const found: DiscoveredHook[] = [];
  const warnings: SkippedFile[] = [];
  for (const provider of PROVIDERS.toSorted((a, b) => b.priority - a.priority))
    for (const root of provider.roots(home, cwd)) {
      const { hooks, warnings: said } = provider.find(root, look);
      found.push(...hooks);
      const shut = obstacles(root, look);
      warnings.push(...shut, ...said.filter(({ path }) => !shut.some((one) => one.path === path)));
    }
  return { ...withoutShadowed(found), warnings };
}

/** Guards may be meant to be there, but are not found. */
const obstacles = ({ folder }: Root, look: FolderReader): SkippedFile[] =>
  [folder, join(folder, 'pre'), join(folder, 'post')].flatMap((path) => {
    const why = look.obstacle(path);
    return why === undefined ? [] : [{ path, error: `${why}: hooks must be in a folder of that name` }];
  });

/** The first file of a key counts. Finding the same file twice is not a duplicate. */
function withoutShadowed(found: readonly DiscoveredHook[]): Pick<Discovery, 'hooks' | 'shadowed'> {
  const first = new Map<string, DiscoveredHook>();
  const shadowed: DiscoveredHook[] = [];
  for (const hook of found) {
    const key = `${hook.type}:${hook.tool}:${hook.name}`;
    const known = first.get(key);
    if (known === undefined) first.set(key, hook);
    else if (known.path !== hook.path) shadowed.push({ ...hook, shadowed: true });
  }
  return { hooks: [...first.values()], shadowed };
}

const preAndPost = (
  { folder, level }: Root,
  look: FolderReader,
  provider: string,
  toolOf: (file: string) => string,
): DiscoveredHook[] =>
  (['pre', 'post'] as const).flatMap((type) =>
    look.files(join(folder, type)).map((name) => ({
      name,
      path: join(folder, type, name),
      type,
      tool: toolOf(name),
      level,
      provider,
    })),
  );

/** `pre-bash.ts` and `post-bash.ts`; any other name is a `pre` hook for the tool of that name. */
const flat = ({ folder, level }: Root, look: FolderReader, provider: string): DiscoveredHook[] =>
  look
    .files(folder)
    .filter((name) => /\.(ts|js)$/.test(name))
    .map((name) => {
      const stem = name.replace(/\.(ts|js)$/, '');
      const [, type = 'pre', tool = stem] = /^(pre|post)-(.+)$/.exec(stem) ?? [];
      return { name, path: join(folder, name), type: type as 'pre' | 'post', tool, level, provider };
    });

/** A guard in the wrong folder does nothing, so it must be reported. */
const misplaced = ({ folder }: Root, look: FolderReader): SkippedFile[] => [
  ...look
    .files(folder)
    .filter(isElsewhere)
    .map((name) => ({
      path: join(folder, name),
      error: `is not loaded: hooks must be in ${join(folder, 'pre')} and ${join(folder, 'post')}; move it there`,
    })),
  ...look
    .folders(folder)
    .filter(isElsewhere)
    .map((name) => ({
      path: join(folder, name),
      error: "is ignored: hooks must be in the folders 'pre' and 'post'",
    })),
];
/** For an empty folder only the name can be checked: here, that it is correct. */
const isElsewhere = (name: string): boolean => name !== 'pre' && name !== 'post';
const nested = ({ folder }: Root, look: FolderReader): SkippedFile[] =>
  ['pre', 'post'].flatMap((type) =>
    look.folders(join(folder, type)).map((name) => ({
      path: join(folder, type, name),
      error: `is ignored: hooks must be files directly in ${join(folder, type)}`,
    })),
  );
