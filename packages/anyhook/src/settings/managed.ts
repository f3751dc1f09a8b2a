/**
 * The organisation's folder: hooks, modules and a policy that users cannot change. Anyone with write access
 * could replace the organisation's guards, so it counts only if no other user can write to it.
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

/**
 * Not configurable by a variable, because an agent that can set variables could then disable the
 * organisation's guards.
 */
export const MANAGED: ManagedFolder = { folder: FOLDERS[process.platform] ?? '/etc/anyhook', owner: ROOT };

export const isManagedThere = ({ folder }: ManagedFolder): boolean =>
  lstatSync(folder, { throwIfNoEntry: false }) !== undefined;

/** Applied versions, each in its own folder, and the file that names the active one. */
export const VERSIONS = 'policies';
export const CURRENT = 'current';

/**
 * Adds the folder of the active version. Switching versions replaces a single file, so readers always see one
 * complete version. An invalid version name maps to a missing folder, which is refused.
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

/** Returns files next to `current`, which are ignored. */
export const passedOver = ({ folder, inForce }: ManagedFolder): readonly string[] =>
  inForce === undefined
    ? []
    : ['hooks.json', 'hooks', 'policy.json']
        .map((name) => join(folder, name))
        .filter((path) => existsSync(path));

/** A larger folder is not a plausible folder of hooks, and checking it would delay every event. */
const MOST_ENTRIES = 5_000;

/** Reports paths that someone other than the owner could modify or replace. Stops after a few. */
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
      if (left-- === 0) say(managed.folder, `contains more than ${MOST_ENTRIES} files`);
      if (left < 0) return;
      const stats = lstatSync(path);
      const why = stats.isSymbolicLink() ? 'is a link' : weakness(stats, managed, 'inside');
      if (why !== undefined) say(path, why);
      if (!stats.isDirectory()) return;
      if (path === versions) {
        // Checks only the active version, because other versions may be added or removed meanwhile.
        if (managed.inForce !== undefined && existsSync(managed.inForce)) walk(managed.inForce);
        return;
      }
      for (const { name } of readdirSync(path, { withFileTypes: true }) as Dirent[]) walk(join(path, name));
    };
    walk(managed.folder);
  } catch (error) {
    say(managed.folder, `cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return found;
}

/** A sticky parent folder is safe: everyone may add files, but nobody can remove those of others. */
const STICKY = 0o1000;

function weakness(
  { uid, mode }: Stats,
  { owner }: ManagedFolder,
  where: 'above' | 'inside',
): string | undefined {
  if (process.platform === 'win32') return undefined; // Windows access lists are not checked
  if (uid !== owner && !(where === 'above' && uid === ROOT))
    return `belongs to the user ${uid}, not to ${owner}`;
  if ((mode & 0o022) === 0 || (where === 'above' && (mode & STICKY) !== 0)) return undefined;
  return 'is writable by other users';
}

const loose = (file: string, why: string, { folder, owner }: ManagedFolder): Problem => ({
  code: 'not-managed',
  file,
  message: `${why}, so the policy of your organisation in ${folder} may be forged and is not used.`,
  remedy: `Ask your administrator to fix it: chown -R ${owner} and chmod -R go-w ${folder}.`,
  severity: 'error',
});
