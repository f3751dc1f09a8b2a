/**
 * The organisation's own folder: hooks, modules and a policy that its developers cannot change. Whoever could write to it
 * could write the organisation's guards, so it counts only while nobody but its owner can.
 */
import { type Dirent, existsSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Locations, ManagedFolder } from '../events/dialect.ts';
import type { Problem } from '../events/problems.ts';
import { readSettingsFile } from './read-file.ts';

const FOLDERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: '/Library/Application Support/anyhook',
  win32: 'C:\\ProgramData\\anyhook',
};
const ROOT = 0;

/** No variable moves it: what an agent can set would otherwise set the organisation's guards aside. */
export const MANAGED: ManagedFolder = { folder: FOLDERS[process.platform] ?? '/etc/anyhook', owner: ROOT };

export const isManagedThere = ({ folder }: ManagedFolder): boolean =>
  lstatSync(folder, { throwIfNoEntry: false }) !== undefined;

/** Versions that were applied, each whole in a folder of its own, and the small file that names the one that counts. */
export const VERSIONS = 'policies';
export const CURRENT = 'current';

/**
 * With the version that counts at this moment: one file is replaced to change it, so whoever looks finds the whole of one
 * version or the whole of the other. A name that is none leads to a folder that is not there, which is refused.
 */
export function withPolicyInForce<L extends Pick<Locations, 'managed'>>(locations: L): L {
  const { managed } = locations;
  if (managed === undefined) return locations;
  const named = readSettingsFile(join(managed.folder, CURRENT));
  if (named.kind === 'missing') return locations;
  const version = named.kind === 'text' ? /^[1-9]\d{0,15}$/.exec(named.text.trim())?.[0] : undefined;
  return {
    ...locations,
    managed: { ...managed, inForce: join(managed.folder, VERSIONS, version ?? 'none') },
  };
}

/** What lies beside `current` and is therefore not read. */
export const passedOver = ({ folder, inForce }: ManagedFolder): readonly string[] =>
  inForce === undefined
    ? []
    : ['hooks.json', 'hooks', 'policy.json']
        .map((name) => join(folder, name))
        .filter((path) => existsSync(path));

/** More than this is no folder of hooks, and looking at it would keep every event waiting. */
const MOST_ENTRIES = 5_000;

/** What somebody else could change in it, or put in its place; the first few are enough to be told. */
export function looseEnds(managed: ManagedFolder): readonly Problem[] {
  const found: Problem[] = [];
  const say = (file: string, why: string) => {
    if (found.length < 3) found.push(loose(file, why, managed));
  };
  try {
    for (let above = dirname(managed.folder); ; above = dirname(above)) {
      const why = weakness(lstatSync(above), managed, 'above');
      if (why !== undefined) say(above, why);
      if (above === dirname(above)) break;
    }
    const versions = join(managed.folder, VERSIONS);
    let left = MOST_ENTRIES;
    const walk = (path: string) => {
      if (left-- === 0) say(managed.folder, `holds more than ${MOST_ENTRIES} files`);
      if (left < 0) return;
      const stats = lstatSync(path);
      const why = stats.isSymbolicLink() ? 'is a link' : weakness(stats, managed, 'inside');
      if (why !== undefined) say(path, why);
      if (!stats.isDirectory()) return;
      if (path === versions) {
        // Of the versions only the one that counts: the others come and go while somebody looks.
        if (managed.inForce !== undefined && existsSync(managed.inForce)) walk(managed.inForce);
        return;
      }
      for (const { name } of readdirSync(path, { withFileTypes: true }) as Dirent[]) walk(join(path, name));
    };
    walk(managed.folder);
  } catch (error) {
    say(managed.folder, `cannot be looked into (${(error as NodeJS.ErrnoException).code})`);
  }
  return found;
}

/** A folder in which everybody may put files, but nobody can take away another's, is no danger from above. */
const STICKY = 0o1000;

function weakness(
  { uid, mode }: Stats,
  { owner }: ManagedFolder,
  where: 'above' | 'inside',
): string | undefined {
  if (process.platform === 'win32') return undefined; // its access lists are not looked at
  if (uid !== owner && !(where === 'above' && uid === ROOT))
    return `belongs to the user ${uid}, not to ${owner}`;
  if ((mode & 0o022) === 0 || (where === 'above' && (mode & STICKY) !== 0)) return undefined;
  return 'can be written by others';
}

const loose = (file: string, why: string, { folder, owner }: ManagedFolder): Problem => ({
  code: 'not-managed',
  file,
  message: `${why}: what your organisation laid down in ${folder} may be somebody else's word, and is not taken.`,
  remedy: `Ask whoever keeps this machine to put it right: chown -R ${owner} and chmod -R go-w ${folder}.`,
  severity: 'error',
});
