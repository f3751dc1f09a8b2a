/** The rooms of `packages/anyhook/src`, what each may see and touch, and how its files are named. */
import { posix } from 'node:path';

/** Path under `src` → text. A map, so that a test can plant a fault. */
export type Tree = ReadonlyMap<string, string>;

const ROOMS = [
  'canon',
  'dialects',
  'runners',
  'engine',
  'settings',
  'journal',
  'views',
  'agents',
  'assembly',
  'surfaces',
  'hosts',
  'testing',
] as const;
export type Room = (typeof ROOMS)[number];

/** Beside its own files. `testing` is for users and tests: no room sees it. */
const MAY_SEE: Readonly<Record<Room, readonly string[]>> = {
  canon: [],
  dialects: ['canon'],
  runners: ['canon'],
  engine: ['canon'],
  settings: ['canon'],
  journal: ['canon'],
  views: ['canon', 'journal'],
  agents: ['canon', 'dialects'],
  assembly: ['canon', 'dialects', 'runners', 'engine', 'settings', 'journal', 'agents'],
  surfaces: ['canon', 'dialects', 'runners', 'engine', 'settings', 'views', 'assembly'],
  hosts: [
    'canon',
    'dialects',
    'runners',
    'engine',
    'settings',
    'journal',
    'views',
    'agents',
    'assembly',
    'surfaces',
    'assemble.ts',
  ],
  testing: ['canon', 'engine'],
};
/** The front door, and the one file that names every dialect and every runner. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  'index.ts': [...MAY_SEE.hosts, 'hosts'],
  'assemble.ts': [...MAY_SEE.hosts, 'hosts'],
};
/** Dialects that share their words may share files. */
const KIN: readonly (readonly string[])[] = [
  ['claude-code', 'claude-agent-sdk'], // one CLI: its files and its callbacks
];

const DISK = ['fs', 'fs/promises'];
const PROCESSES = ['child_process', 'worker_threads', 'cluster'];
const NETWORK = ['net', 'tls', 'http', 'https', 'http2', 'dgram', 'dns'];
const MAY_NOT_TOUCH: Readonly<Partial<Record<Room, readonly string[]>>> = {
  canon: [...DISK, ...PROCESSES, ...NETWORK],
  dialects: [...DISK, ...PROCESSES, ...NETWORK],
  engine: [...DISK, ...PROCESSES, ...NETWORK],
  settings: [...PROCESSES, ...NETWORK],
  journal: [...PROCESSES, ...NETWORK],
  views: PROCESSES,
};

/** `from '…'`, `import '…'`, `import('…')` and `require('…')`, in code and in types. */
const IMPORT = /\b(?:from|import|require)\s*\(?\s*(['"])([^'"\n]+)\1/g;
const importsOf = (text: string): string[] => [...text.matchAll(IMPORT)].map((found) => found[2]!);

const isTest = (file: string): boolean => /\.test(-d)?\.m?ts$/.test(file);
const isFixture = (file: string): boolean => file.includes('/fixtures/');

/** Arrows that point the wrong way, one line each. Tests look wherever they must. */
export function wrongArrows(tree: Tree, kin = KIN): string[] {
  const faults: string[] = [];
  for (const [file, text] of tree) {
    if (isTest(file) || isFixture(file)) continue;
    for (const name of importsOf(text)) {
      const why = name.startsWith('.')
        ? wrongArrow(file, posix.join(posix.dirname(file), name), kin)
        : wrongTouch(file, name);
      if (why !== null) faults.push(`${file}: ${why} (${name})`);
    }
  }
  return faults;
}

function wrongArrow(file: string, target: string, kin: readonly (readonly string[])[]): string | null {
  const [from, to] = [topOf(file), topOf(target)];
  if (to === '..') return 'leaves src';
  if (from === to) return from === 'dialects' ? strangers(file, target, kin) : null;
  const seen = DOORS[from] ?? MAY_SEE[from as Room];
  if (seen === undefined) return `${from} is no room`;
  return seen.includes(to) ? null : `${from} may not see ${to}`;
}

/** A dialect sees its own folder and its kin; the list of dialects sees them all. */
function strangers(file: string, target: string, kin: readonly (readonly string[])[]): string | null {
  const [one, other] = [dialectOf(file), dialectOf(target)];
  if (one === null || one === other) return null;
  if (other !== null && kin.some((family) => family.includes(one) && family.includes(other))) return null;
  return `dialect ${one} may not see ${other ?? 'the list of dialects'}`;
}

function wrongTouch(file: string, name: string): string | null {
  const room = topOf(file);
  const builtin = name.replace(/^node:/, '');
  return MAY_NOT_TOUCH[room as Room]?.includes(builtin) ? `${room} may not touch ${builtin}` : null;
}

const topOf = (file: string): string => file.split('/')[0]!;
const dialectOf = (file: string): string | null => {
  const parts = file.split('/');
  return parts.length > 2 ? parts[1]! : null;
};

/** Quoted words that the engine must not know: agents by name, events by name. */
export function vendorsWords(tree: Tree, words: readonly string[]): string[] {
  return [...tree]
    .filter(([file]) => topOf(file) === 'engine' && !isTest(file) && !isFixture(file))
    .flatMap(([file, text]) =>
      words
        .filter((word) => text.includes(`'${word}'`) || text.includes(`"${word}"`))
        .map((word) => `${file}: the engine may not know '${word}'`),
    );
}

const NO_NAME = /(^|-)(manager|handler|helper|util|misc|common|stuff)s?(-|$)/;
/** Folder → the word that is the right one there. */
const WORD_OF: Readonly<Record<string, string>> = {
  'runners/command': 'helper', // a process that helps: it starts the commands and ends them
  'surfaces/opta': 'manager', // Opta's own name for it is part of the surface
};
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.test-d|\.d)?\.(ts|mts|mjs)$/;

export function wrongNames(tree: Tree): string[] {
  const faults: string[] = [];
  for (const file of tree.keys()) {
    if (isFixture(file)) continue;
    const name = posix.basename(file);
    const folder = posix.basename(posix.dirname(file));
    const stem = name.split('.')[0]!;
    if (!KEBAB.test(name)) faults.push(`${file}: file names are kebab-case`);
    const word = NO_NAME.exec(stem)?.[2];
    if (word !== undefined && word !== WORD_OF[posix.dirname(file)])
      faults.push(`${file}: '${stem}' names no one thing`);
    if ([folder, folder.replace(/s$/, '')].some((said) => stem.startsWith(`${said}-`)))
      faults.push(`${file}: says its folder's name again`);
  }
  return faults;
}

const MAX_LINES = 300;
/** Tables may be long, logic may not: file → why. */
const LONG: Readonly<Record<string, string>> = {
  'canon/events.ts': 'the one table: a row per event',
  'canon/bash/wrappers.ts': 'a table: a row per program that runs another one',
};

export function tooLong(tree: Tree): string[] {
  return [...tree]
    .filter(([file]) => !isTest(file) && !isFixture(file) && LONG[file] === undefined)
    .map(([file, text]) => [file, text.trimEnd().split('\n').length] as const)
    .filter(([, lines]) => lines > MAX_LINES)
    .map(([file, lines]) => `${file}: ${lines} lines, at most ${MAX_LINES}`);
}
