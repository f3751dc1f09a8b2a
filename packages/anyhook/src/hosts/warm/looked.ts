/**
 * What was looked at while hooks were opened. A change to any of it counts from the very next event, as it does for a program
 * that lives for one: so everything that was read, listed or asked for is written down, and compared before each event.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { type DiskRecord, diskRecord, lookKey, type LookedAt, diskMark } from '../../settings/disk-record.ts';

type AnyFunction = (...args: unknown[]) => unknown;

const READS = [
  'readFileSync',
  'openSync',
  'statSync',
  'lstatSync',
  'existsSync',
  'accessSync',
  'realpathSync',
  'readlinkSync',
];
const LISTS = ['readdirSync', 'opendirSync'];
const READS_LATER = ['readFile', 'open', 'stat', 'lstat', 'access', 'realpath', 'readlink'];
const LISTS_LATER = ['readdir', 'opendir'];

interface LookOptions<T> {
  /** Paths that loading code does not take through `node:fs`. */
  readonly besides: (value: T) => readonly string[];
  /** What hooks write, their logs say: it changes with every event, and nothing hangs on it. */
  readonly written: (value: T) => readonly string[];
  readonly isOurs: (path: string) => boolean;
}

/**
 * Runs `open`, and notes the paths that pass through `node:fs` meanwhile. For a process of our own: it stands between
 * everybody and the file system while it works.
 */
export async function lookedAtBy<T>(
  open: () => Promise<T>,
  { besides, written, isOurs }: LookOptions<T>,
): Promise<{ value: T; looked: DiskRecord }> {
  const seen = new Map<string, string>();
  const note = (path: unknown, kind: LookedAt): void => {
    if (typeof path !== 'string' && !(path instanceof URL)) return;
    const place = typeof path === 'string' ? resolve(path) : path.pathname;
    if (isOurs(place) || place.startsWith('/proc/')) return;
    const key = lookKey(kind, place);
    if (!seen.has(key)) seen.set(key, diskMark(key));
  };
  const giveBack = [
    standBetween(fs, READS, (path) => note(path, 'file')),
    standBetween(fs, LISTS, (path) => note(path, 'names')),
    standBetween(fs.promises, READS_LATER, (path) => note(path, 'file')),
    standBetween(fs.promises, LISTS_LATER, (path) => note(path, 'names')),
  ];
  syncBuiltinESMExports();
  let value: T;
  try {
    value = await open();
  } finally {
    for (const back of giveBack) back();
    syncBuiltinESMExports();
  }
  for (const path of besides(value)) note(path, 'file');
  for (const path of written(value)) seen.delete(lookKey('file', path));
  return { value, looked: diskRecord(seen) };
}

const heardBy = (hear: (path: unknown) => void, real: AnyFunction): AnyFunction =>
  function (this: unknown, ...args: unknown[]) {
    hear(args[0]);
    return real.apply(this, args);
  };

function standBetween(owner: object, names: readonly string[], hear: (path: unknown) => void): () => void {
  const table = owner as Record<string, AnyFunction>;
  const before = names.map((name) => [name, table[name]!] as const);
  for (const [name, real] of before)
    table[name] = Object.assign(
      heardBy(hear, real),
      real,
      'native' in real && { native: heardBy(hear, real.native as AnyFunction) },
    );
  return () => {
    for (const [name, real] of before) table[name] = real;
  };
}
