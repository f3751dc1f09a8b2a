/** `anyhook add` and `remove`: installs and removes ready-made hooks, built-in or published. */

import { homedir } from 'node:os';
import { isatty } from 'node:tty';
import { addedFolder, putIn, readLock, stateOf, takeOut } from '../add/added.ts';
import { broughtIn } from '../add/brought-in.ts';
import { findPack } from '../add/find-pack.ts';
import { hashOf, type Pack } from '../add/pack.ts';
import { agentsLine } from '../add/recipe-agents.ts';
import { recipes } from '../add/recipes.ts';
import { ABOUT_UNDO, switchUndo, UNDO } from '../add/undo-switch.ts';
import { places } from '../agents/anyhook/dialect/places.ts';
import { answerTo, isYes } from '../console/answer-to.ts';
import { paint, print, printJson, say, screenFor } from '../console/print.ts';
import { withProgress } from '../console/progress.ts';
import { checkFolder, nearOrAll, UsageError } from '../console/usage.ts';
import { locationsOf } from '../gather/folders.ts';
import { Unreadable } from '../install/json-text.ts';
import { safe } from '../render/safe.ts';
import { type Screen, shortPath } from '../render/screen.ts';
import { wrap } from '../render/wrap.ts';
import { announce, checkPerson } from './by-person.ts';
import type { Define } from './commands.ts';

interface AddOptions {
  readonly project?: boolean;
  readonly as?: string;
  readonly dryRun?: boolean;
  readonly cwd?: string;
  readonly json?: boolean;
}

export const define: Define = (command, done) => {
  command
    .argument('[what]', 'Recipe, file, folder, tarball, git address or npm package; default: list recipes')
    .option('--project', 'Add to this project, not to your own hooks')
    .option('--as <dialect>', 'Read a package for several agents as one for this agent')
    .option('--dry-run', 'Show what would be added and write nothing')
    .option('--cwd <folder>', 'Project folder')
    .option('--json', 'Print JSON')
    .action(async (what: string | undefined, options: AddOptions) => {
      checkFolder('add', options.cwd);
      done(
        what === undefined ? listRecipes(options) : await inFriendlyWords('add', () => add(what, options)),
      );
    });
};

export const defineRemove: Define = (command, done) => {
  command
    .argument('<name>', 'Name shown by `anyhook list`')
    .option('--project', 'Remove from this project, not from your own hooks')
    .option('--cwd <folder>', 'Project folder')
    .option('--json', 'Print JSON')
    .action(async (name: string, options: AddOptions) => {
      checkFolder('remove', options.cwd);
      done(await inFriendlyWords('remove', async () => remove(name, options)));
    });
};

const INDENT = ' '.repeat(22);

function listRecipes({ json, cwd }: AddOptions): number {
  const all = recipes();
  const { width } = screenFor(cwd);
  if (json === true) printJson({ recipes: all });
  else
    print([
      ...all.flatMap(({ name, about, agents }) => [
        ...wrap(`${name.padEnd(22)}${about}`, width, INDENT),
        ...wrap(`${INDENT}${agentsLine(agents)}`, width, INDENT),
      ]),
      ...wrap(`${UNDO.padEnd(22)}${ABOUT_UNDO}`, width, INDENT),
      '',
      ...wrap('To put one in: anyhook add <name>; to look first: anyhook add <name> --dry-run', width, '  '),
    ]);
  return 0;
}

/** Shows everything that would run, or what has changed in it, and asks. The default is no. */
async function add(what: string, options: AddOptions): Promise<number> {
  if (what === UNDO) return changeUndo('on', options);
  const settings = settingsOf(options);
  const lock = readLock(settings);
  const as = options.as ?? lock[what]?.dialect;
  const pack = await withProgress(`Looking for ${what}`, (progress) =>
    findPack(lock[what]?.from ?? what, { progress, ...(as !== undefined && { as }) }),
  );
  const [known, hash] = [lock[pack.name], hashOf(pack)];
  const { name, from, version, dialect } = pack;
  const report = { name, from, ...(version !== undefined && { version }), dialect, hash, settings };
  if (known !== undefined && known.hash === hash && stateOf(settings, name, known) === 'same') {
    if (options.json === true) printJson({ ...report, done: false });
    else say([`${name} is there already, as it is in ${from}; nothing to do.`]);
    return 0;
  }
  if (options.dryRun !== true) checkPerson('add', process.env);
  const screen = screenFor(options.cwd);
  if (options.json !== true)
    print([
      ...broughtIn(pack, addedFolder(settings, name), paint),
      ...wrap(introduction(pack), screen.width, '  '),
      ...wrap(hash, screen.width),
    ]);
  const mayAsk = options.json !== true && isatty(0) && isatty(1);
  const isWanted =
    options.dryRun !== true &&
    mayAsk &&
    isYes(await answerTo(`Put exactly this into ${shortPath(settings, screen)}? [y/N] `));
  if (isWanted) {
    announce(`the hooks of ${name} put into ${settings} (${hash})`);
    putIn(settings, pack);
  }
  if (options.json === true) printJson({ ...report, done: isWanted });
  else
    say([
      isWanted
        ? `${known === undefined ? 'Added' : 'Updated'}. ${next(pack, settings, screen)}`
        : 'Nothing was written.',
      ...(isWanted && options.project === true ? ['To let it act in this project: anyhook trust add'] : []),
    ]);
  return 0;
}

/** Undo is a setting of the user, not a hook. */
async function changeUndo(state: 'on' | 'off', options: AddOptions): Promise<number> {
  const command = state === 'on' ? 'add' : 'remove';
  if (options.project === true)
    throw new UsageError(`${command}: undo is your own setting; leave out --project`);
  const settings = settingsOf(options);
  if (options.dryRun !== true) {
    checkPerson(`${command} ${UNDO}`, process.env);
    announce(`undo switched ${state} in ${settings}`);
  }
  const isDone = options.dryRun !== true && switchUndo(settings, state);
  if (options.json === true) printJson({ name: UNDO, settings, done: isDone });
  else if (options.dryRun === true) say([`This would switch undo ${state}: "undo" in ${settings}`]);
  else if (!isDone) say([`Undo is ${state} already.`]);
  else if (state === 'on')
    say(['Undo is on for calls from now on. To put back what an agent changed: anyhook undo']);
  else say(['Undo is off. To remove the snapshots: anyhook undo --prune --all']);
  return 0;
}

function introduction({ name, from, version, dialect, also }: Pack): string {
  const whose = dialect === 'anyhook' ? '' : `, hooks of ${dialect}`;
  const others = also.length === 0 ? '' : `; also written for ${also.join(', ')} (--as ${also[0]!})`;
  return `${safe(name)}${version === undefined ? '' : ` ${safe(version)}`} from ${safe(from)}${whose}${others}`;
}

const next = ({ name, files }: Pack, settings: string, screen: Screen): string =>
  [...files.keys()].some((path) => /\.test\.(?:ya?ml|json)$/.test(path) && !path.includes('node_modules/'))
    ? `Its cases: anyhook test ${shortPath(addedFolder(settings, name), screen)}`
    : 'What it listens to: anyhook list';

async function remove(name: string, options: AddOptions): Promise<number> {
  if (name === UNDO) return changeUndo('off', options);
  const settings = settingsOf(options);
  const lock = readLock(settings);
  if (lock[name] === undefined)
    throw new UsageError(
      Object.keys(lock).length === 0
        ? `remove: nothing was added to ${settings}; what can be: anyhook add`
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

/** Turns errors about unreadable files and the file system into one line. */
async function inFriendlyWords(verb: 'add' | 'remove', work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    const isKnown = error instanceof Unreadable || typeof (error as { code?: unknown }).code === 'string';
    throw isKnown ? new UsageError(`${verb}: ${(error as Error).message}`) : error;
  }
}
