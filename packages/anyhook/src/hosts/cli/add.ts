/** `anyhook add` and `remove`: ready hooks, and those of others, put in and taken out whole. */
import { homedir } from 'node:os';
import { isatty } from 'node:tty';
import { locationsOf } from '../../assembly/folders.ts';
import { places } from '../../dialects/anyhook/places.ts';
import { diffOf } from '../../settings/trust/diff.ts';
import { safe } from '../../views/safe.ts';
import { shortPath } from '../../views/screen.ts';
import { wrap } from '../../views/wrap.ts';
import { answerTo, isYes } from '../console/answer-to.ts';
import { paint, print, printJson, screenFor } from '../console/print.ts';
import { checkFolder, nearOrAll, UsageError } from '../console/usage.ts';
import { Unreadable } from '../install/json-text.ts';
import { addedFolder, putIn, readLock, stateOf, takeOut } from '../packs/added.ts';
import { findPack } from '../packs/find-pack.ts';
import { filesBelow, hashOf, type Pack } from '../packs/pack.ts';
import { recipes } from '../packs/recipes.ts';
import { announce, checkPerson } from './by-person.ts';
import type { Define } from './commands.ts';

interface AddOptions {
  readonly project?: boolean;
  readonly dryRun?: boolean;
  readonly cwd?: string;
  readonly json?: boolean;
}

export const define: Define = (command, done) => {
  command
    .argument('[what]', 'a recipe, a file, a folder, a tarball or a package of npm; without it: the recipes')
    .option('--project', 'into this project instead of your own hooks')
    .option('--dry-run', 'show what would come in, and write nothing')
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action(async (what: string | undefined, options: AddOptions) => {
      checkFolder('add', options.cwd);
      done(
        what === undefined ? listRecipes(options) : await inFriendlyWords('add', () => add(what, options)),
      );
    });
};

export const defineRemove: Define = (command, done) => {
  command
    .argument('<name>', 'as `anyhook add` and `anyhook list` show it')
    .option('--project', 'from this project instead of your own hooks')
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action(async (name: string, options: AddOptions) => {
      checkFolder('remove', options.cwd);
      done(await inFriendlyWords('remove', async () => remove(name, options)));
    });
};

function listRecipes({ json, cwd }: AddOptions): number {
  const all = recipes();
  const { width } = screenFor(cwd);
  if (json === true) printJson({ recipes: all });
  else
    print([
      ...all.flatMap(({ name, about }) => wrap(`${name.padEnd(22)}${about}`, width, ' '.repeat(22))),
      '',
      'To put one in: anyhook add <name>; to look first: anyhook add <name> --dry-run',
    ]);
  return 0;
}

/** Everything that would run is shown, or what has changed of it, and asked about; no is the default. */
async function add(what: string, options: AddOptions): Promise<number> {
  const settings = settingsOf(options);
  const pack = findPack(what);
  const [known, hash] = [readLock(settings)[pack.name], hashOf(pack)];
  const report = { name: pack.name, from: pack.from, hash, settings };
  if (known !== undefined && known.hash === hash && stateOf(settings, pack.name, known) === 'same') {
    if (options.json === true) printJson({ ...report, done: false });
    else print([`${pack.name} is there already, as it is in ${pack.from}; nothing to do.`]);
    return 0;
  }
  if (options.dryRun !== true) checkPerson('add', process.env);
  const screen = screenFor(options.cwd);
  if (options.json !== true)
    print([
      ...contents(pack, addedFolder(settings, pack.name), known !== undefined),
      `${safe(pack.name)} from ${safe(pack.from)}, ${hash}`,
    ]);
  const mayAsk = options.json !== true && isatty(0) && isatty(1);
  const isWanted =
    options.dryRun !== true &&
    mayAsk &&
    isYes(await answerTo(`Put exactly this into ${shortPath(settings, screen)}? [y/N] `));
  if (isWanted) {
    announce(`the hooks of ${pack.name} put into ${settings} (${hash})`);
    putIn(settings, pack);
  }
  if (options.json === true) printJson({ ...report, done: isWanted });
  else
    print([
      isWanted
        ? `Added. Its cases: anyhook test ${shortPath(addedFolder(settings, pack.name), screen)}`
        : 'Nothing was written.',
      ...(isWanted && options.project === true ? ['To let it act in this project: anyhook trust add'] : []),
    ]);
  return 0;
}

function contents({ files, modules }: Pack, folder: string, isUpdate: boolean): string[] {
  const before = isUpdate ? filesNow(folder) : new Map<string, Buffer>();
  return [...new Set([...before.keys(), ...files.keys()])].toSorted().flatMap((path) => {
    const [was, is] = [before.get(path)?.toString() ?? '', files.get(path)?.toString() ?? ''];
    const title = paint('cyan', `── ${safe(path)}${modules.includes(path) ? ', hooks' : ''}`);
    if (!isUpdate) return [title, ...safe(is.replace(/\n$/, '')).split('\n'), ''];
    return was === is ? [] : [title, ...diffOf(path, was, is).split('\n').slice(2), ''];
  });
}

function filesNow(folder: string): Map<string, Buffer> {
  try {
    return filesBelow(folder);
  } catch {
    return new Map(); // it is gone
  }
}

function remove(name: string, options: AddOptions): number {
  const settings = settingsOf(options);
  const lock = readLock(settings);
  if (lock[name] === undefined)
    throw new UsageError(
      Object.keys(lock).length === 0
        ? `remove: nothing was added to ${settings}`
        : `remove: nothing of the name ${JSON.stringify(name)} was added; ${nearOrAll(name, Object.keys(lock))}`,
    );
  checkPerson('remove', process.env);
  announce(`the hooks of ${name} taken out of ${settings}`);
  takeOut(settings, name);
  if (options.json === true) printJson({ name, settings, done: true });
  else print([`Removed ${safe(name)}, with all of its files.`]);
  return 0;
}

function settingsOf({ project, cwd }: AddOptions): string {
  const layer = project === true ? 'project' : 'user';
  const found = places(locationsOf(cwd === undefined ? {} : { cwd })).find((place) => place.layer === layer);
  if (found === undefined)
    throw new UsageError(`add: no folder for your own hooks was found below ${homedir()}`);
  return found.file;
}

/** A file that is left alone is said in one line; what the disk refuses, too. */
async function inFriendlyWords(verb: 'add' | 'remove', work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    const isKnown = error instanceof Unreadable || typeof (error as { code?: unknown }).code === 'string';
    throw isKnown ? new UsageError(`${verb}: ${(error as Error).message}`) : error;
  }
}
