/**
 * Most events reach no hook, and for each of them an agent starts us anew. What settings came to is remembered with
 * everything that was looked at: files with their text, folders with their names, variables with their values. While all
 * of that is the same, an event that nobody listened to is answered as it was, and no engine is loaded.
 */
import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { MANAGED } from '../../settings/managed.ts';
import { readOwn } from '../../settings/own-file.ts';
import type { Question } from './question.ts';

/** What was looked at, and what was there; null: nothing. */
export interface SettingsSnapshot {
  readonly files: Readonly<Record<string, string | null>>;
  readonly folders: Readonly<Record<string, readonly string[] | null>>;
  readonly env: Readonly<Record<string, string | null>>;
  /** Paths of which only this counts: is anything there? */
  readonly there: Readonly<Record<string, boolean>>;
}
export interface RememberedSilence {
  readonly key: string;
  readonly looked: SettingsSnapshot;
  /** Events that nobody listens to, in the agent's words, and what silence looks like on its stdout. */
  readonly silent: Readonly<Record<string, string>>;
  /** The person wants no engine. */
  readonly engine?: 'off';
}

export interface Silence extends Pick<RememberedSilence, 'engine'> {
  readonly stdout: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** What the person's own file remembers is not asked where an organisation has something to say. */
export function silenceFor({ key, file, word }: Question, env: Env): Silence | undefined {
  if (existsSync(MANAGED.folder)) return undefined;
  const known = recall(file);
  if (known?.key !== key || !Object.hasOwn(known.silent, word) || !isSame(known.looked, env))
    return undefined;
  return { stdout: known.silent[word]!, ...(known.engine && { engine: known.engine }) };
}

/** What is not as we write it compares unequal. */
export function recall(file: string): RememberedSilence | undefined {
  try {
    return JSON.parse(readOwn(file)?.toString('utf8') ?? '') as RememberedSilence;
  } catch {
    return undefined;
  }
}

export function isSame({ files, folders, env: variables, there }: SettingsSnapshot, env: Env): boolean {
  for (const path in there) if (existsSync(path) !== there[path]) return false;
  for (const name in variables) if ((env[name] ?? null) !== variables[name]) return false;
  for (const file in files) if (fileTextAt(file) !== files[file]) return false;
  for (const folder in folders) if (`${namesAt(folder)}` !== `${folders[folder]}`) return false;
  return true;
}

/** Nothing is nothing; what is there and cannot be read is never the same as before. */
export function fileTextAt(file: string): string | null | undefined {
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return fstatSync(fd).isFile() ? readFileSync(fd, 'utf8') : undefined;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return isAbsent(error) ? null : undefined;
  }
}

export function namesAt(folder: string): string[] | null | undefined {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    return isAbsent(error) ? null : undefined;
  }
}

const isAbsent = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
