/** The import rules for folders of the packages, and rules for file names. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';

/** Maps paths below `src` to texts, so that a test can plant a fault. */
export type Tree = ReadonlyMap<string, string>;

export const treeOf = (src: string): Tree =>
  new Map(
    readdirSync(src, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|mts|mjs)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(src, path).split(sep).join('/'), readFileSync(path, 'utf8')]),
  );

/** The rules of one package: folders, their allowed imports, and those of files in the root. */
export interface House {
  readonly name: string;
  /** Allowed imports per folder, besides its own files. */
  readonly rooms: Readonly<Record<string, readonly string[]>>;
  /** Allowed imports per file in the root: folders and other files of the root. */
  readonly doors: Readonly<Record<string, readonly string[]>>;
  /** Node modules that a folder may not import. */
  readonly mayNotTouch?: Readonly<Record<string, readonly string[]>>;
}

/** Known import cycles between folders. Remove entries when they are fixed; do not add any. */
export const PENDING: readonly string[] = [];

/** Agents whose dialects may import each other. */
const RELATED: readonly (readonly string[])[] = [
  ['claude-code', 'claude-agent-sdk'], // One command-line program: its settings files and its callbacks.
  ['claude-code', 'goose'], // Goose reads `.claude/settings.json` of a project
];

const DISK = ['fs', 'fs/promises'];
const PROCESSES = ['child_process', 'worker_threads', 'cluster'];
const NETWORK = ['net', 'tls', 'http', 'https', 'http2', 'dgram', 'dns'];
const DIALECT = 'agents/<name>/dialect';
const API = 'agents/<name>/api';

/** Allowed imports of the lower folders, from the bottom up. */
const SETTINGS = ['events', 'shell'];
const AGENTS = ['events', 'shell', DIALECT];
const GATHER = [...AGENTS, 'dialects.ts', 'agents', 'journal', 'modules', 'runners', 'runs', 'settings'];
const LIBRARY_PARTS = [
  ...GATHER,
  'approvals',
  'engine',
  'gather',
  'history',
  'self-protection',
  'sessions',
  'undo',
  'own-files.mjs',
  API,
];
const FEATURE = [...LIBRARY_PARTS, 'library', 'render', 'console'];

export const LIBRARY: House = {
  name: 'anyhook',
  rooms: {
    events: [],
    shell: ['events'],
    engine: ['events'],
    journal: ['events'],
    runners: ['events', 'own-files.mjs'],
    settings: SETTINGS,
    [DIALECT]: ['events', 'shell'],
    agents: AGENTS,
    history: ['events', 'journal', 'shell'],
    render: ['events', 'journal'],
    sessions: ['events', 'settings'],
    approvals: ['events', 'render', 'sessions', 'settings', 'shell'],
    runs: ['events', 'engine', 'runners'],
    modules: ['events', 'runners', 'settings', 'own-files.mjs'],
    gather: GATHER,
    undo: ['events', 'shell', 'self-protection', 'settings'],
    'self-protection': ['events', 'shell', 'agents', 'gather', 'settings', 'own-files.mjs'],
    // Imported by hooks of one agent: it may run them but knows no agent.
    [API]: [
      DIALECT,
      'engine',
      'events',
      'gather',
      'modules',
      'own-files.mjs',
      'render',
      'runners',
      'runs',
      'sessions',
      'settings',
      'shell',
    ],

    usage: ['events', 'agents', 'journal', 'settings'],
    library: LIBRARY_PARTS,
    console: [...LIBRARY_PARTS, 'library', 'render'],
    replay: ['events', 'history', 'journal'],
    policy: [...FEATURE, 'replay'],
    'read-journals': FEATURE,
    'remote-approvals': FEATURE,
    adapters: ['events', 'library', API],
    fire: [...FEATURE, 'usage'],
    'in-process': [...FEATURE, 'fire', 'usage'],
    cases: FEATURE,
    mcp: [...FEATURE, 'fire'],
    daemon: [...FEATURE, 'fire', 'usage'],
    serve: [...FEATURE, 'daemon'],
    install: [...FEATURE, 'daemon', 'mcp'],
    add: [...FEATURE, 'install'],
    menu: [...FEATURE, 'install', 'testing'],
    suggest: [...FEATURE, 'install', 'menu', 'replay'],
    view: [...FEATURE, 'menu'],
    doctor: [...FEATURE, 'daemon', 'install', 'menu', 'testing'],
    cli: [
      ...FEATURE,
      'add',
      'cases',
      'daemon',
      'doctor',
      'fire',
      'install',
      'mcp',
      'menu',
      'replay',
      'serve',
      'suggest',
      'usage',
      'view',
    ],
    bin: ['cli'],
    testing: ['events', 'engine'],
  },
  doors: {
    'index.ts': [...FEATURE],
    'dialects.ts': ['events', 'agents', DIALECT],
    'own-files.mjs': [],
  },
  mayNotTouch: {
    events: [...DISK, ...PROCESSES, ...NETWORK],
    shell: [...DISK, ...PROCESSES, ...NETWORK],
    [DIALECT]: [...DISK, ...PROCESSES, ...NETWORK],
    engine: [...DISK, ...PROCESSES, ...NETWORK],
    settings: [...PROCESSES, ...NETWORK],
    journal: [...PROCESSES, ...NETWORK],
    render: PROCESSES,
  },
};

const AGENTS_ROOMS = ['front', 'session', 'tools', 'models', 'hooks', 'loop', 'screen', 'demo'];
export const AGENT: House = {
  name: '@anyhook/agent',
  rooms: {
    front: [], // Questions and notices for the user, independent of the screen.
    session: [],
    tools: ['front'],
    models: ['front'],
    hooks: ['front', 'models'],
    loop: ['front', 'session', 'tools', 'models', 'hooks'],
    screen: ['front'],
    demo: ['front', 'session', 'loop', 'screen'],
  },
  doors: {
    'index.ts': AGENTS_ROOMS,
    'args.ts': ['screen'],
    'run-agent.ts': [...AGENTS_ROOMS, 'args.ts'],
    'run-login.ts': ['args.ts', 'hooks'],
    'main.ts': ['args.ts', 'run-agent.ts', 'run-login.ts'],
    'demo.ts': ['demo'],
  },
};

export const FLEET: House = {
  name: '@anyhook/fleet',
  rooms: {
    nats: [],
    approvals: ['nats'],
    otlp: [],
    ship: ['nats', 'otlp'],
    read: ['nats'],
    policy: [],
    demo: ['policy'],
  },
  doors: {
    'demo.ts': ['demo'],
    'main.ts': ['approvals', 'nats', 'ship', 'read', 'policy', 'report.ts'],
    'report.ts': ['nats', 'read'],
  },
};

/** Matches `from '…'`, `import '…'`, `import('…')` and `require('…')`, in code and in types. */
const IMPORT = /\b(?:from|import|require)\s*\(?\s*(['"])([^'"\n]+)\1/g;
const importsOf = (text: string): string[] => [...text.matchAll(IMPORT)].map((found) => found[2]!);

export const isTest = (file: string): boolean => /\.test(-d)?\.m?ts$/.test(file);
export const isFixture = (file: string): boolean => file.includes('/fixtures/');

interface Rules {
  readonly house: House;
  readonly kin: readonly (readonly string[])[];
  readonly pending: readonly string[];
}

/** Returns wrong imports, one line each. Tests may import anything. */
export function wrongArrows(tree: Tree, rules: Partial<Rules> = {}): string[] {
  const house = rules.house ?? LIBRARY;
  const faults: string[] = [];
  for (const [file, text] of tree) {
    if (isTest(file) || isFixture(file)) continue;
    for (const name of importsOf(text)) {
      const why = name.startsWith('.')
        ? wrongArrow(file, posix.join(posix.dirname(file), name), {
            house,
            kin: RELATED,
            pending: PENDING,
            ...rules,
          })
        : wrongTouch(file, name, house);
      if (why !== null) faults.push(`${file}: ${why} (${name})`);
    }
    for (const name of selfImportsIn(text, house.name))
      faults.push(`${file}: the package may not import itself (${name})`);
  }
  return faults;
}

function wrongArrow(file: string, target: string, { house, kin, pending }: Rules): string | null {
  const [from, to] = [roomOf(file), roomOf(target)];
  if (to === '..') return 'leaves src';
  const seen = house.doors[from] ?? house.rooms[from];
  if (seen === undefined) return `${from} is no room`;
  if (pending.includes(arrowOf(file, target))) return null;
  if (from !== to && !seen.includes(to)) return `${from} may not see ${to}`;
  return from === DIALECT || from === API ? otherAgent(file, target, kin) : null;
}

/** The dialect and the hook API of an agent import nothing of another agent, except for related ones. */
function otherAgent(file: string, target: string, related: readonly (readonly string[])[]): string | null {
  const [own, other] = [agentOf(file), agentOf(target)];
  if (own === null || other === null || own === other || other === 'shared') return null;
  if (related.some((group) => group.includes(own) && group.includes(other))) return null;
  return `${own} may not see ${other}`;
}

function wrongTouch(file: string, name: string, { mayNotTouch = {} }: House): string | null {
  const room = roomOf(file);
  const builtin = name.replace(/^node:/, '');
  return mayNotTouch[room]?.includes(builtin) ? `${room} may not touch ${builtin}` : null;
}

/** Only in import statements: a template for a user's module may name our package. */
function selfImportsIn(text: string, name: string): string[] {
  const own = `(['"])(${name}(?:/[^'"\\n]+)?)`;
  const statements = new RegExp(`^(?:import|export)\\b(?:[^'"\`;]*?\\bfrom)?\\s*${own}\\1`, 'gm');
  const calls = new RegExp(`\\b(?:import|require)\\s*\\(\\s*${own}\\1`, 'g');
  return [...text.matchAll(statements), ...text.matchAll(calls)].map((found) => found[2]!);
}

const topOf = (file: string): string => file.split('/')[0]!;
/** The folder that a rule is about: `agents/goose/dialect/x.ts` belongs to `agents/<name>/dialect`. */
const roomOf = (file: string): string => {
  if (/^agents\/(?:[^/]+\/dialect|shared\/(?:claude|command)-shaped)\//.test(file)) return DIALECT;
  if (/^agents\/[^/]+\/api\//.test(file)) return API;
  return topOf(file);
};
const agentOf = (file: string): string | null => /^agents\/([^/]+)\//.exec(file)?.[1] ?? null;

/** The folder of the file, or the file itself in the root. */
const nodeOf = (file: string): string => (file.includes('/') ? posix.dirname(file) : file);
const arrowOf = (file: string, target: string): string => `${nodeOf(file)} → ${nodeOf(target)}`;

/** Maps folders to the folders that they import, with one example import. */
function arrowsIn(tree: Tree, pending: readonly string[]): Map<string, Map<string, string>> {
  const arrows = new Map<string, Map<string, string>>();
  for (const [file, text] of tree) {
    if (isTest(file) || isFixture(file)) continue;
    for (const name of importsOf(text)) {
      const target = posix.join(posix.dirname(file), name);
      const [from, to] = [nodeOf(file), nodeOf(target)];
      if (!name.startsWith('.') || from === to || pending.includes(arrowOf(file, target))) continue;
      const seen = arrows.get(from) ?? new Map<string, string>();
      arrows.set(from, seen.has(to) ? seen : seen.set(to, `${file} imports ${target}`));
    }
  }
  return arrows;
}

/** Import cycles between folders: the shortest cycle of each, one line per cycle. */
export function circles(tree: Tree, pending = PENDING): string[] {
  const arrows = arrowsIn(tree, pending);
  const found = new Map<string, string>();
  for (const start of arrows.keys()) {
    const around = wayBackTo(start, arrows);
    if (around === undefined) continue;
    const first = around.indexOf(around.toSorted()[0]!);
    const turned = [...around.slice(first), ...around.slice(0, first)];
    const imports = turned.map((from, at) => arrows.get(from)!.get(turned[(at + 1) % turned.length]!)!);
    found.set(turned.join(), `${[...turned, turned[0]].join(' → ')} (${imports.join('; ')})`);
  }
  return [...found.values()].toSorted();
}

/** Breadth-first search for the shortest cycle through `start`. */
function wayBackTo(start: string, arrows: ReadonlyMap<string, ReadonlyMap<string, string>>) {
  const queue: (readonly string[])[] = [[start]];
  const met = new Set<string>();
  for (const way of queue)
    for (const next of arrows.get(way.at(-1)!)?.keys() ?? []) {
      if (next === start) return way;
      if (!met.has(next)) queue.push([...way, next]);
      met.add(next);
    }
  return undefined;
}

/** Quoted names of agents and events, which the engine may not contain. */
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
/** Folders in which such a name is correct. */
const WORD_OF: Readonly<Record<string, string>> = {
  'runners/command': 'helper', // A helper process that starts and ends commands.
  'agents/opta/api': 'manager', // The name is part of the API of Opta.
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

const MAX_LINES = 400;
/** Tables may be long, with a reason. */
const LONG: Readonly<Record<string, string>> = {
  'events/events.ts': 'the one table: a row per event',
  'console/error-codes.ts': 'a table: an entry per error code',
  'shell/wrappers.ts': 'a table: a row per program that runs another one',
};

export function tooLong(tree: Tree): string[] {
  return [...tree]
    .filter(([file]) => !isTest(file) && !isFixture(file) && LONG[file] === undefined)
    .map(([file, text]) => [file, text.trimEnd().split('\n').length] as const)
    .filter(([, lines]) => lines > MAX_LINES)
    .map(([file, lines]) => `${file}: ${lines} lines, at most ${MAX_LINES}`);
}

/** Files whose header would move with the first import when imports are sorted, because no blank line follows it. */
export const withMovableHeader = (tree: Tree): string[] =>
  [...tree].filter(([file, text]) => !isFixture(file) && MOVABLE_HEADER.test(text)).map(([file]) => file);
const MOVABLE_HEADER = /^(?:#!.*\n)?(?:(?:\/\*\*(?:(?!\*\/)[^])*\*\/\n)+|(?:\/\/.*\n)+)import\b/;
