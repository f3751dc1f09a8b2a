/**
 * Most events reach no hook, and for each of them an agent starts us anew. What settings came to is remembered with
 * everything that was looked at: files with their text, folders with their names, variables with their values. While all
 * of that is the same, an event that nobody listened to is answered as it was, and no engine is loaded.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { MANAGED } from '../../settings/managed.ts';
import { readOwn } from '../../settings/own-file.ts';
import type { Question } from './question.ts';

/** What was looked at, and what was there. */
export interface SettingsSnapshot {
  readonly files: Readonly<Record<string, string>>;
  readonly folders: Readonly<Record<string, readonly string[]>>;
  /** Where nothing was, as far up as nothing was: no look below these can have found anything. */
  readonly missing: readonly string[];
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

export function silenceFor(question: Question, env: Env): Silence | undefined {
  const known = recall(question.file);
  const silence = known && silenceIn(known, question, env);
  return silence && isDiskSame(known.looked) ? silence : undefined;
}

/** While what was looked at is the same. */
export function silenceIn(known: RememberedSilence, { key, word }: Question, env: Env): Silence | undefined {
  if (known.key !== key || !Object.hasOwn(known.silent, word) || !areVariablesSame(known.looked, env))
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

/** What the person's own file remembers is not asked where an organisation has something to say. */
export function isDiskSame({ files, folders, missing, there }: SettingsSnapshot): boolean {
  if (existsSync(MANAGED.folder)) return false;
  for (const path in there) if (existsSync(path) !== there[path]) return false;
  for (const path of missing) if (!isMissing(path)) return false;
  for (const file in files) if (fileTextAt(file) !== files[file]) return false;
  for (const folder in folders) if (`${namesAt(folder)}` !== `${folders[folder]}`) return false;
  return true;
}
export function areVariablesSame({ env: variables }: SettingsSnapshot, env: Env): boolean {
  for (const name in variables) if ((env[name] ?? null) !== variables[name]) return false;
  return true;
}

/** Without an error for each of them, which costs more than the look. What cannot be looked at is not missing. */
function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    return isAbsent(error);
  }
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
