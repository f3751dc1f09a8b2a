/**
 * Home folders inside a project that the user accepted in a terminal. The list is kept in the home folder of the user
 * account, which no environment variable and no project can move.
 */

import { createHash } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInside, physical } from '../settings/inside.ts';
import { makeFolder } from '../settings/make-folder.ts';
import { readOwn } from '../settings/own-file.ts';

/** A variable and the real path of the folder that it named when the user accepted it. */
export interface AcceptedHome {
  readonly variable: string;
  readonly folder: string;
}

/** Where acceptances are kept, for the home folder of the user account. */
export const acceptedHomesFolder = (accountHome: string): string =>
  join(accountHome, '.local', 'share', 'anyhook', 'accepted-homes');

/** Undefined if the file would be inside the project, which could then accept for itself. */
export function acceptedHomesFile(project: string, accountHome: string | undefined): string | undefined {
  if (accountHome === undefined) return undefined;
  const root = physical(project);
  const folder = physical(acceptedHomesFolder(accountHome));
  if (isInside(root, folder)) return undefined;
  return join(folder, `${createHash('sha256').update(root).digest('hex').slice(0, 32)}.json`);
}

/** Returns what the user accepted for exactly this project. A file that another user could have written does not count. */
export function readAcceptedHomes(project: string, accountHome: string | undefined): readonly AcceptedHome[] {
  const file = acceptedHomesFile(project, accountHome);
  if (file === undefined) return [];
  try {
    const { project: root, homes } = JSON.parse(String(readOwn(file))) as {
      project?: unknown;
      homes?: unknown;
    };
    return root === physical(project) && Array.isArray(homes) ? homes.filter(isAcceptedHome) : [];
  } catch {
    return []; // nothing was accepted
  }
}

/** Adds to what the user accepted before. The caller has checked that a user asks for it. */
export function acceptHomes(project: string, accountHome: string, homes: readonly AcceptedHome[]): void {
  const file = acceptedHomesFile(project, accountHome);
  if (file === undefined) throw new Error(`${accountHome} is inside the project`);
  const before = readAcceptedHomes(project, accountHome);
  const added = homes.filter((home) => !before.some((other) => isSameHome(home, other)));
  makeFolder(acceptedHomesFolder(accountHome));
  const aside = `${file}.${process.pid}.tmp`;
  const content = { project: physical(project), homes: [...before, ...added] };
  writeFileSync(aside, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(aside, file);
}

export const isSameHome = (home: AcceptedHome, other: AcceptedHome): boolean =>
  home.variable === other.variable && home.folder === other.folder;

const isAcceptedHome = (value: unknown): value is AcceptedHome => {
  const { variable, folder } = (value ?? {}) as Partial<AcceptedHome>;
  return typeof variable === 'string' && typeof folder === 'string';
};
