/**
 * Records which files were read while hooks were opened, so that a session can check before each event that all of them are
 * unchanged. Hook modules and their loaders read files on their own, so the record is taken at `node:fs` itself. Only for
 * processes of our own: the functions of `node:fs` are wrapped once and stay wrapped.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diskMark, type DiskRecord, diskRecord, type LookedAt, lookKey } from '../settings/disk-record.ts';

type AnyFunction = (...args: unknown[]) => unknown;
type OnRead = (path: unknown, kind: LookedAt) => void;

const FILE_READS = [
  'readFileSync',
  'openSync',
  'statSync',
  'lstatSync',
  'existsSync',
  'accessSync',
  'realpathSync',
  'readlinkSync',
];
const FOLDER_READS = ['readdirSync', 'opendirSync'];
const ASYNC_FILE_READS = ['readFile', 'open', 'stat', 'lstat', 'access', 'realpath', 'readlink'];
const ASYNC_FOLDER_READS = ['readdir', 'opendir'];

export interface RecordOptions<T> {
  /** Files that were loaded without `node:fs`, for example by the loader of ES modules. */
  readonly alsoRead: (value: T) => readonly string[];
  /** Files that hooks write, such as logs. A change there does not change the settings. */
  readonly written: (value: T) => readonly string[];
  readonly isIgnored: (path: string) => boolean;
}

const recording = new AsyncLocalStorage<OnRead>();
let isWrapped = false;

/** Runs `open` and records what it reads, however many of these run at once. */
export async function recordReads<T>(
  open: () => Promise<T>,
  { alsoRead, written, isIgnored }: RecordOptions<T>,
): Promise<{ readonly value: T; readonly record: DiskRecord }> {
  wrapFileSystem();
  const marks = new Map<string, string>();
  const note: OnRead = (path, kind) => {
    if (typeof path !== 'string' && !(path instanceof URL && path.protocol === 'file:')) return;
    const place = typeof path === 'string' ? resolve(path) : fileURLToPath(path);
    if (isIgnored(place) || place.startsWith('/proc/')) return;
    const key = lookKey(kind, place);
    // Without the recorder, or the mark's own look at the file would be recorded.
    if (!marks.has(key))
      marks.set(
        key,
        recording.exit(() => diskMark(key)),
      );
  };
  const value = await recording.run(note, open);
  for (const path of alsoRead(value)) note(path, 'file');
  for (const path of written(value)) marks.delete(lookKey('file', path));
  return { value, record: diskRecord(marks) };
}

function wrapFileSystem(): void {
  if (isWrapped) return;
  isWrapped = true;
  wrap(fs, FILE_READS, 'file');
  wrap(fs, FOLDER_READS, 'names');
  wrap(fs.promises, ASYNC_FILE_READS, 'file');
  wrap(fs.promises, ASYNC_FOLDER_READS, 'names');
  syncBuiltinESMExports();
}

function wrap(owner: object, names: readonly string[], kind: LookedAt): void {
  const table = owner as Record<string, AnyFunction>;
  for (const name of names) {
    const real = table[name]!;
    table[name] = Object.assign(
      noting(real, kind),
      real,
      'native' in real && { native: noting(real.native as AnyFunction, kind) },
    );
  }
}

const noting = (real: AnyFunction, kind: LookedAt): AnyFunction =>
  function (this: unknown, ...args: unknown[]) {
    recording.getStore()?.(args[0], kind);
    return real.apply(this, args);
  };
