/**
 * A program that opens hooks pays for our own text at each of its starts, as a bridge does: half of what fifty hooks take to
 * open is V8 compiling functions that are called once. So what `createHooks` needs is loaded by way of what is kept.
 */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import Module from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { MANAGED } from '../../settings/managed.ts';
import { EVENT_ROAD, loadKept } from './compiled.ts';

/** When the program has opened its hooks and asked them a few times, and V8 has not yet dropped what ran once. */
const SETTLED_MS = 2_000;

let isTried = false;

/** Once, before the files behind the door are asked for. Where anything is unusual they are loaded as Node loads files. */
export function loadLibraryKept(): void {
  if (isTried) return;
  isTried = true;
  const folder = isLoadedByNode() ? keptFolder() : undefined;
  if (folder === undefined) return;
  let keepCode: () => void;
  try {
    keepCode = loadKept(__dirname, EVENT_ROAD, { folder, word: process.argv[1] ?? '' });
  } catch {
    return; // what is wrong with a file is said when Node loads it
  }
  /** Where the person's things were taken away meanwhile, they stay away. */
  const keep = (): void => {
    if (existsSync(dirname(dirname(folder)))) keepCode();
  };
  const timer = setTimeout(keep, SETTLED_MS).unref();
  process.once('exit', () => {
    clearTimeout(timer);
    keep();
  });
}

/** Test runners and bundlers have loaders of their own, and worlds of their own to load into. */
function isLoadedByNode(): boolean {
  try {
    return (
      require.cache === (Module as unknown as { readonly _cache: unknown })._cache &&
      require.cache[__filename] === module &&
      require.cache[join(__dirname, EVENT_ROAD)] === undefined &&
      existsSync(join(__dirname, EVENT_ROAD))
    );
  } catch {
    return false;
  }
}

/**
 * Only where we keep things of this person already: a program that opens no hooks of theirs leaves nothing behind. Never what
 * lies in the folder that we are in, which may be a project's, nor where an organisation has something to say.
 */
function keptFolder(): string | undefined {
  try {
    const said = process.env['XDG_STATE_HOME'] ?? '';
    const state = join(isAbsolute(said) ? said : join(homedir(), '.local', 'state'), 'anyhook');
    const { uid, mode } = lstatSync(state);
    if (process.platform !== 'win32' && (uid !== process.getuid?.() || (mode & 0o022) !== 0))
      return undefined;
    const way = relative(realpathSync.native(process.cwd()), realpathSync.native(state));
    const isInside = !way.startsWith('..') && !isAbsolute(way);
    return isInside || existsSync(MANAGED.folder) ? undefined : join(state, 'quick', 'library');
  } catch {
    return undefined; // there is none
  }
}
