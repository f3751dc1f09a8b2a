/** Variables such as HOME say where the user's own settings are. One that points into the project would make the project's files count as the user's. */
import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute } from 'node:path';
import type { Problem } from '../events/problems.ts';
import { HOME_VARIABLES } from '../agents/shared/dialect/home-variables.ts';
import { isInside, physical } from '../settings/inside.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Every variable by which a dialect or an agent finds the user's own folder. */
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
}

/** The variables that point into the project. None where the project is the user's home, as the system (not the environment) knows it. */
export function movedInto(project: string, env: Env): readonly MovedFolder[] {
  const root = physical(project);
  if (root === dirname(root)) return []; // the whole disk is nobody's project
  const home = systemHome();
  return MOVERS.flatMap((variable) => {
    const folder = env[variable] ?? '';
    if (!isAbsolute(folder) || (variable === 'HOME' && folder === home)) return [];
    const place = physical(folder);
    if (home !== undefined && isInside(root, home) && isInside(home, place) && place !== root) return [];
    const why = isInside(root, place) ? 'lies in the project' : othersCanWrite(place);
    return why === undefined ? [] : [{ variable, folder, why }];
  });
}

function othersCanWrite(place: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  if (isOpen(place, 0o002)) return 'can be written by everybody';
  // Where a folder above it is open to everybody, and not sticky as /tmp is, it can be put aside for another one.
  for (let above = dirname(place); above !== dirname(above); above = dirname(above))
    if (isOpen(above, 0o002) && !isOpen(above, 0o1000)) return `can be replaced by everybody, in ${above}`;
  return undefined;
}

function isOpen(place: string, bit: number): boolean {
  try {
    return (statSync(place).mode & bit) !== 0;
  } catch {
    return false; // nothing is there, or nobody may look
  }
}

/** As the system knows it, whatever the environment says. */
export function systemHome(): string | undefined {
  try {
    const { homedir: home } = userInfo();
    return isAbsolute(home) ? home : undefined;
  } catch {
    return undefined;
  }
}

/** The home folder that this environment names if it is an absolute path, otherwise the system's. */
export function homeOf(env: Env): string | undefined {
  const home = env[process.platform === 'win32' ? 'USERPROFILE' : 'HOME'] ?? '';
  return isAbsolute(home) ? home : systemHome();
}

export const movedProblem = ({ variable, folder, why }: MovedFolder): Problem => ({
  code: 'bad-value',
  file: folder,
  key: variable,
  message: `${variable} points at ${folder}, which ${why}: what lies there is not taken for your own.`,
  remedy: `Unset ${variable}, or let it lead to a folder of yours.`,
  severity: 'error',
});
