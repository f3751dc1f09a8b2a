/** What a snapshot knows about a path, and the folders of a snapshot as objects: equal folders are one object, as in git. */

import { joinedPath } from './byte-path.ts';

export type LeftOutWhy = 'too-large' | 'bulky-folder' | 'unreadable' | 'special-file' | 'skipped';

export interface FileEntry {
  readonly kind: 'file';
  readonly mode: number;
  readonly size: number;
  /** Names the object with the content. */
  readonly hash: string;
}
export type Entry =
  | FileEntry
  | { readonly kind: 'link'; readonly target: string }
  /** `tree` names the object with the entries. */
  | { readonly kind: 'folder'; readonly mode: number; readonly tree: string }
  /** It exists and is not in the store. */
  | { readonly kind: 'left-out'; readonly why: LeftOutWhy };

export type TreeEntries = ReadonlyMap<string, Entry>;

/** Names are byte strings, so the JSON is the same for the same folder on every machine. */
export const encodeTree = (entries: TreeEntries): Buffer =>
  Buffer.from(
    JSON.stringify(
      [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, entry]) => row(name, entry)),
    ),
    'utf8',
  );

type Row = readonly [name: string, kind: Entry['kind'], ...rest: readonly (string | number)[]];

function row(name: string, entry: Entry): Row {
  switch (entry.kind) {
    case 'file':
      return [name, 'file', entry.mode, entry.size, entry.hash];
    case 'link':
      return [name, 'link', entry.target];
    case 'folder':
      return [name, 'folder', entry.mode, entry.tree];
    case 'left-out':
      return [name, 'left-out', entry.why];
  }
}

export function decodeTree(bytes: Buffer): Map<string, Entry> {
  const rows = JSON.parse(bytes.toString('utf8')) as readonly Row[]; // verified by its hash
  return new Map(rows.map(([name, ...fields]) => [name, entryIn(fields)]));
}

function entryIn([kind, ...fields]: readonly (string | number)[]): Entry {
  const [first, second, third] = fields as [never, never, never];
  if (kind === 'file') return { kind, mode: first, size: second, hash: third };
  if (kind === 'link') return { kind, target: first };
  if (kind === 'folder') return { kind, mode: first, tree: second };
  return { kind: 'left-out', why: first };
}

/** Undefined: there is nothing at this path. */
export type PathState = Entry | undefined;

/** The content of a folder does not count: each of its paths has a state of its own. */
export function isSameState(a: PathState, b: PathState): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind === 'file') return b.kind === 'file' && a.hash === b.hash && a.mode === b.mode;
  if (a.kind === 'link') return b.kind === 'link' && a.target === b.target;
  if (a.kind === 'folder') return b.kind === 'folder' && a.mode === b.mode;
  return b.kind === 'left-out';
}

export interface PathChange {
  readonly path: string;
  readonly before: PathState;
  readonly after: PathState;
}

type ReadTree = (hash: string) => TreeEntries;
const NO_ENTRIES: TreeEntries = new Map();

/** Every path that differs, parents first. A folder that comes or goes is listed with everything in it. */
export function* changesBetween(
  before: string,
  after: string,
  readTree: ReadTree,
  folder = '',
): Generator<PathChange> {
  if (before === after) return;
  const [old, now] = [before, after].map((hash) => (hash === '' ? NO_ENTRIES : readTree(hash))) as [
    TreeEntries,
    TreeEntries,
  ];
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(name), now.get(name)];
    const path = joinedPath(folder, name);
    if (!isSameState(was, is)) yield { path, before: was, after: is };
    // The content of a folder that was left out is unknown, so differences inside it do not count.
    if (was?.kind === 'left-out' || is?.kind === 'left-out') continue;
    yield* changesBetween(treeIn(was), treeIn(is), readTree, path);
  }
}

const treeIn = (state: PathState): string => (state?.kind === 'folder' ? state.tree : '');

/** The state of one path in a snapshot. */
export function stateAt(tree: string, path: string, readTree: ReadTree): PathState {
  let at: PathState = { kind: 'folder', mode: 0, tree };
  for (const name of path.split('/')) {
    if (at?.kind === 'left-out') return at;
    if (at?.kind !== 'folder') return undefined;
    at = readTree(at.tree).get(name);
  }
  return at;
}
