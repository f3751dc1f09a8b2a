/** What the agent must leave alone: settings, guards, trust, journal. By name, whether they exist or not. */
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGENTS } from '../../agents/index.ts';
import type { Dialect, Ground } from '../../canon/dialect.ts';
import type { Hook } from '../../canon/hook.ts';
import type { FoundModule } from '../../settings/module-files.ts';
import type { Folders } from '../folders.ts';
import { scriptsNamed } from '../scripts-named.ts';
import type { Examined } from '../gate.ts';
import type { JournalOptions } from '../options.ts';

export interface World {
  readonly ground: Ground;
  readonly folders: Folders;
  readonly journal: false | JournalOptions;
  readonly dialects: readonly Dialect[];
  readonly hooks: readonly Hook[];
  readonly modules: readonly FoundModule[];
  readonly examined: readonly Examined[];
}
export interface Guarded {
  /** With everything in them. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** With everything in them, but not from above: `rm -rf node_modules` is everyday work, and a bridge without us refuses. */
  readonly code: readonly string[];
}

export function guardedIn({ ground, folders, journal, dialects, hooks, modules, examined }: World): Guarded {
  const places = dialects.flatMap((dialect) =>
    dialect.config.places(ground).map(({ file }) => ({ file, dialect: dialect.name })),
  );
  const owned = places.filter(({ file, dialect }) =>
    [dialect, `.${dialect}`].includes(basename(dirname(file))),
  );
  const names = [...dialects.flatMap(({ projectVariable }) => projectVariable ?? []), 'PWD'];
  const agents = Object.values(AGENTS);
  return {
    folders: distinct([
      dirname(folders.trust),
      dirname(folders.journal),
      ...(journal !== false && journal.folder !== undefined ? [resolve(journal.folder)] : []),
      join(ground.cwd, '.anyhook'),
      ...owned.map(({ file }) => dirname(file)),
      ...agents.flatMap(({ guarded }) => guarded(ground)),
      ...lookedInto(dialects, ground),
    ]),
    files: distinct([
      ...places.map(({ file }) => file),
      ...(['user', 'project'] as const).flatMap((scope) =>
        agents.flatMap(({ bridge }) => bridge({ ...ground, scope }).map(({ file }) => file)),
      ),
      ...modules.map(({ file }) => file),
      ...hooks.flatMap((hook) => scriptsNamed(hook, ground, names)),
      ...examined.flatMap(({ judgement }) =>
        judgement.cover.files.map(({ name }) => join(judgement.cover.project.root, name)),
      ),
    ]),
    code: [fileURLToPath(new URL('dist', packageRoot))],
  };
}

/** Folders of the person's own in which a dialect looks for code: whatever lies there runs, so no list can forget one. */
function lookedInto(dialects: readonly Dialect[], ground: Ground): string[] {
  const found: string[] = [];
  const list = (folder: string): readonly string[] => {
    found.push(resolve(folder));
    return [];
  };
  for (const { moduleFinder } of dialects) moduleFinder?.find({ ...ground, list }, []);
  const isOwn = (folder: string) =>
    folder.startsWith(`${ground.home}/`) && !`${ground.cwd}/`.startsWith(`${folder}/`);
  return found.filter((folder) => isOwn(folder) && !folder.startsWith(`${ground.cwd}/`));
}

/** Ours, wherever it was installed. */
const packageRoot = new URL('../../../', import.meta.url);

const distinct = (paths: readonly string[]): string[] => [...new Set(paths)];
