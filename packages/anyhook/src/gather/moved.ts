/**
 * Detects HOME and similar variables that point into the project. Otherwise files of the project would count as the
 * user's own.
 */

import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute } from 'node:path';
import { HOME_VARIABLES } from '../agents/shared/dialect/home-variables.ts';
import type { Problem } from '../events/problems.ts';
import { isInside, physical } from '../settings/inside.ts';
import { type AcceptedHome, acceptedHomesFile, isSameHome, readAcceptedHomes } from './accepted-homes.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** All variables that determine the user's own folders for a dialect or agent. */
export const MOVERS: readonly string[] = [
  'HOME',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
  ...Object.values(HOME_VARIABLES).flat(),
];

export interface MovedFolder {
  readonly variable: string;
  readonly folder: string;
  readonly why: string;
  /** The user can accept it with `anyhook trust home`. */
  readonly canBeAccepted: boolean;
}

/**
 * Returns the variables that point into the project, except those that the user accepted. Empty if the project is the
 * user's home according to the system, not the environment.
 */
export function movedInto(project: string, env: Env, accountHome = systemHome()): readonly MovedFolder[] {
  const root = physical(project);
  if (root === dirname(root)) return []; // the file system root is not a project
  let accepted: readonly AcceptedHome[] | undefined;
  return MOVERS.flatMap((variable) => {
    const folder = env[variable] ?? '';
    if (!isAbsolute(folder) || (variable === 'HOME' && folder === accountHome)) return [];
    const place = physical(folder);
    if (accountHome !== undefined && isInside(root, accountHome) && isInside(accountHome, place))
      if (place !== root) return [];
    const open = othersCanWrite(place);
    if (open !== undefined) return [{ variable, folder, why: open, canBeAccepted: false }];
    if (!isInside(root, place)) return [];
    accepted ??= readAcceptedHomes(root, accountHome);
    if (accepted.some((home) => isSameHome(home, { variable, folder: place }))) return [];
    const why = place === root ? 'is also the project folder' : `is inside the project ${root}`;
    return [{ variable, folder, why, canBeAccepted: acceptedHomesFile(root, accountHome) !== undefined }];
  });
}

function othersCanWrite(place: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  if (isOpen(place, 0o002)) return 'is writable by every user';
  // A parent folder that is writable by all users, without the sticky bit that /tmp has, can be replaced.
  for (let above = dirname(place); above !== dirname(above); above = dirname(above))
    if (isOpen(above, 0o002) && !isOpen(above, 0o1000)) return `can be replaced by every user, in ${above}`;
  return undefined;
}

function isOpen(place: string, bit: number): boolean {
  try {
    return (statSync(place).mode & bit) !== 0;
  } catch {
    return false; // missing or not accessible
  }
}

/** Returns the home folder from the system's user database and ignores the environment. */
export function systemHome(): string | undefined {
  try {
    const { homedir: home } = userInfo();
    return isAbsolute(home) ? home : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the home folder from the environment if it is absolute, otherwise the system's. */
export function homeOf(env: Env): string | undefined {
  const home = env[process.platform === 'win32' ? 'USERPROFILE' : 'HOME'] ?? '';
  return isAbsolute(home) ? home : systemHome();
}

export const movedProblem = (moved: MovedFolder): Problem => ({
  code: 'unsafe-home',
  file: moved.folder,
  key: moved.variable,
  message: `${moved.why}, so its files are not treated as your own.`,
  remedy: remedyFor(moved),
  severity: 'error',
});

const remedyFor = ({ variable, canBeAccepted }: MovedFolder): string =>
  canBeAccepted
    ? `Set ${variable} to a folder outside the project, or accept it once in a terminal: anyhook trust home`
    : `Unset ${variable}, or set it to a folder of your own.`;

/** For the agent and its user. */
export const movedRefusal = (moved: MovedFolder): string => {
  const { message, remedy } = movedProblem(moved);
  return `Refusing all tool calls: ${moved.variable} (${moved.folder}) ${message} ${remedy}`;
};
