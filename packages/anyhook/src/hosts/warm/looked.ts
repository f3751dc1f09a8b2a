/**
 * What was looked at while hooks were opened. A change to any of it counts from the very next event, as it does for a program
 * that lives for one: so everything that was read, listed or asked for is written down, and compared before each event.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, resolve } from 'node:path';

export interface DiskRecord {
  /** Is all of it as it was? */
  isSame(): boolean;
  readonly size: number;
}

type Kind = 'file' | 'names';
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
  const note = (path: unknown, kind: Kind): void => {
    if (typeof path !== 'string' && !(path instanceof URL)) return;
    const place = typeof path === 'string' ? resolve(path) : path.pathname;
    if (isOurs(place) || place.startsWith('/proc/')) return;
    const key = `${kind} ${place}`;
    if (!seen.has(key)) seen.set(key, markOf(key));
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
  for (const path of written(value)) seen.delete(`file ${path}`);
  const marks = withoutLeaves(seen);
  const there = [...marks].filter(([, mark]) => mark !== ABSENT);
  const missing = foldersOf([...marks.keys()].filter((key) => marks.get(key) === ABSENT));
  return {
    value,
    looked: {
      size: marks.size,
      isSame: () => there.every(([key, mark]) => markOf(key) === mark) && missing.every(isStillMissing),
    },
  };
}

/** The clock of a file system ticks every few milliseconds: what is written twice within one looks the same. */
const TICK_MS = 20;
const isTooFresh = ({ ctimeMs }: fs.Stats): boolean => Date.now() - ctimeMs < TICK_MS;
let unique = 0;

const [lstat, list] = [fs.lstatSync, fs.readdirSync];
const [stat] = [fs.statSync];

/** Content, rights and owner of a file change one of these, whatever is done about its time; of a folder only its names count. */
function markOf(key: string): string {
  const path = pathIn(key);
  try {
    if (key.startsWith('names ')) return list(path).toSorted().join('\0');
    const link = lstat(path, { throwIfNoEntry: false });
    if (link === undefined) return ABSENT;
    const it = link.isSymbolicLink() ? stat(path, { throwIfNoEntry: false }) : link;
    if (it === undefined) return `to nothing ${link.ino}`;
    if (it.isDirectory()) return `folder ${it.dev} ${it.ino} ${it.mode} ${it.uid} ${link.ino}`;
    if (isTooFresh(it)) return `written just now ${unique++}`;
    return `${it.dev} ${it.ino} ${it.mode} ${it.uid} ${it.size} ${it.mtimeMs} ${it.ctimeMs} ${link.ino}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? ABSENT : `(${code})`;
  }
}

/** Where a folder is missing, so is everything below it: one look is enough. */
function withoutLeaves(seen: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  for (const [key, mark] of seen) {
    const missing = mark === ABSENT ? `file ${topmostMissing(pathIn(key))}` : key;
    marks.set(missing, mark);
  }
  return marks;
}
function topmostMissing(path: string): string {
  const parent = dirname(path);
  return parent === path || markOf(`file ${parent}`) !== ABSENT ? path : topmostMissing(parent);
}
const ABSENT = 'absent';

/** What is missing in one folder: nothing can have come while the folder is as it was. */
interface MissingIn {
  readonly folder: string;
  readonly keys: readonly string[];
  /** Undefined: looked at one by one. */
  version: string | undefined;
}
const foldersOf = (keys: readonly string[]): MissingIn[] =>
  [...new Set(keys.map((key) => dirname(pathIn(key))))].map((folder) => ({
    folder,
    keys: keys.filter((key) => dirname(pathIn(key)) === folder),
    version: undefined,
  }));
function isStillMissing(group: MissingIn): boolean {
  const now = versionOf(group.folder);
  if (now !== undefined && now === group.version) return true;
  if (!group.keys.every((key) => markOf(key) === ABSENT)) return false;
  group.version = now;
  return true;
}
/** Some file systems count in steps of two seconds: a folder that changed just now may change again unseen. */
const COARSEST_TICK_MS = 2500;
function versionOf(folder: string): string | undefined {
  try {
    const { dev, ino, mtimeMs, ctimeMs } = stat(folder);
    if (Date.now() - Math.max(mtimeMs, ctimeMs) < COARSEST_TICK_MS) return undefined;
    return `${dev} ${ino} ${mtimeMs} ${ctimeMs}`;
  } catch {
    return undefined;
  }
}
const pathIn = (key: string): string => key.slice(key.indexOf(' ') + 1);

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
