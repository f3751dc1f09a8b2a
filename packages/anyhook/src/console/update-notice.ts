/**
 * Tells users in a terminal about a newer version, at most once a day. The notice is read from a file. A detached process
 * asks npm, so that no command waits for it. If npm does not know the package, nothing is printed.
 */

import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, parse } from 'node:path';
import { isatty } from 'node:tty';
import type { Locations } from '../events/dialect.ts';
import { foldersOf } from '../gather/folders.ts';
import { isSwitchedOff } from '../gather/own-setting.ts';
import { startedByAgent } from '../gather/person.ts';
import { isInside } from '../settings/inside.ts';
import { makeFolder } from '../settings/make-folder.ts';

/** Times in milliseconds since 1970. */
export interface UpdateState {
  readonly checkedAt?: number;
  readonly shownAt?: number;
  readonly latest?: string;
}

const DAY_MS = 86_400_000;
const NPM_MS = 60_000;

export const updateFile = (locations: Locations): string =>
  join(dirname(foldersOf(locations).journal), 'update.json');

export function readUpdateState(file: string): UpdateState {
  try {
    const { checkedAt, shownAt, latest } = JSON.parse(readFileSync(file, 'utf8')) as UpdateState;
    return {
      ...(typeof checkedAt === 'number' && { checkedAt }),
      ...(typeof shownAt === 'number' && { shownAt }),
      ...(typeof latest === 'string' && { latest }),
    };
  } catch {
    return {}; // never checked
  }
}

function writeUpdateState(file: string, state: UpdateState): void {
  try {
    makeFolder(dirname(file));
    writeFileSync(file, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  } catch {
    // A read-only home: the next command tries again.
  }
}

/** Only in a terminal, not in CI, not for agents, and not if the user has switched it off. */
export const mayNotify = (env: NodeJS.ProcessEnv, locations: Locations): boolean =>
  isatty(1) &&
  isatty(2) &&
  !['CI', 'NO_UPDATE_NOTIFIER'].some((name) => (env[name] ?? '') !== '') &&
  !isSwitchedOff('updates', locations) &&
  startedByAgent(env) === undefined;

/** The line to print, if any. `now` is in milliseconds. */
export function updateNotice(state: UpdateState, version: string, now: number): string | undefined {
  const { latest, shownAt = 0 } = state;
  if (latest === undefined || !isNewer(latest, version) || now - shownAt < DAY_MS) return undefined;
  return `anyhook ${latest} is available (this is ${version}). To update: npm install -g anyhook`;
}

export const isCheckDue = ({ checkedAt = 0 }: UpdateState, now: number): boolean => now - checkedAt >= DAY_MS;

/** Prints the notice if it is due, and starts a check if that is due. */
export function notifyOfUpdate(locations: Locations, version: string, program: string): void {
  const [file, now] = [updateFile(locations), Date.now()];
  const state = readUpdateState(file);
  const notice = updateNotice(state, version, now);
  const isDue = isCheckDue(state, now);
  if (notice === undefined && !isDue) return;
  if (notice !== undefined) process.stderr.write(`\n${notice}\n`);
  writeUpdateState(file, {
    ...state,
    ...(notice !== undefined && { shownAt: now }),
    ...(isDue && { checkedAt: now }),
  });
  // Outside of every project, because a project may have npm settings of its own.
  if (isDue)
    spawn(process.execPath, [program, 'check-update'], {
      cwd: parse(locations.home).root,
      env: { ...process.env, PATH: outsideProjects(process.env['PATH'] ?? '', locations.cwd) },
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
    })
      .on('error', () => {}) // the next check is due in a day
      .unref();
}

/** A project must not choose which npm runs, also when anyhook is started by `npx`. */
export const outsideProjects = (path: string, cwd: string): string =>
  path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !folder.includes('node_modules') && !isInside(cwd, folder))
    .join(delimiter);

/** Asks the user's npm for the newest version and keeps the answer. */
export async function checkForUpdate(locations: Locations): Promise<void> {
  const file = updateFile(locations);
  const latest = await newestVersion();
  if (latest !== undefined) writeUpdateState(file, { ...readUpdateState(file), latest });
}

function newestVersion(): Promise<string | undefined> {
  const npm = spawn('npm', ['view', 'anyhook', 'version', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: NPM_MS,
    windowsHide: true,
    shell: process.platform === 'win32', // npm is a batch file there
  });
  let output = '';
  npm.stdout.on('data', (bytes) => (output += String(bytes)));
  return new Promise((resolve) => {
    npm.on('error', () => resolve(undefined)); // npm is not installed
    npm.on('close', (code) => resolve(code === 0 ? versionIn(output) : undefined));
  });
}

const RELEASE = /^\d{1,9}\.\d{1,9}\.\d{1,9}$/;

function versionIn(output: string): string | undefined {
  try {
    const version: unknown = JSON.parse(output);
    return typeof version === 'string' && RELEASE.test(version) ? version : undefined;
  } catch {
    return undefined; // npm printed something else
  }
}

/** Only released versions are announced. A pre-release of the same number is older than its release. */
export function isNewer(latest: string, version: string): boolean {
  if (!RELEASE.test(latest)) return false;
  const [release = '', ...pre] = version.split('-');
  const [there, here] = [latest, release].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const at = there.findIndex((part, i) => part !== here[i]);
  return at === -1 ? pre.length > 0 : there[at]! > here[at]!;
}
