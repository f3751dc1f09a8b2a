/** The guarded paths as a tree of names: a lookup costs the depth of the path, not the number of guarded paths. */

import { ANY_TEXT, fitsWildcard, isLetter, type WildcardPart } from '../events/wildcard.ts';
import { fold } from './compare-paths.ts';
import type { GuardedPaths } from './guarded.ts';

/** `inside`: the path is guarded. `above`: a guarded path lies below it. */
export type Touch = 'inside' | 'above';

interface Node {
  readonly children: Map<string, Node>;
  /** A guarded folder, with everything in it. */
  isFolder: boolean;
  isFile: boolean;
  /** Part of our own program: guarded with everything in it, but deleting a folder above it is everyday work. */
  isCode: boolean;
  /** A guarded folder or file lies below. */
  isAbove: boolean;
  /** The folders and files that end here, as they are spelled. */
  readonly paths: GuardedPath[];
}
interface GuardedPath {
  readonly path: string;
  readonly position: number;
}

const emptyNode = (): Node => ({
  children: new Map(),
  isFolder: false,
  isFile: false,
  isCode: false,
  isAbove: false,
  paths: [],
});

export class GuardedTree {
  readonly #root = emptyNode();
  readonly #paths: ReadonlySet<string>;

  constructor({ folders, files, code }: GuardedPaths) {
    const paths = [...folders, ...files];
    this.#paths = new Set(paths);
    for (const [position, path] of paths.entries()) {
      const node = this.#insert(path, 'marksAbove');
      node.paths.push({ path, position });
      if (position < folders.length) node.isFolder = true;
      else node.isFile = true;
    }
    for (const path of code) this.#insert(path, 'plain').isCode = true;
  }

  #insert(path: string, way: 'marksAbove' | 'plain'): Node {
    let node = this.#root;
    for (const name of namesIn(fold(path))) {
      if (way === 'marksAbove') node.isAbove = true;
      let child = node.children.get(name);
      if (child === undefined) node.children.set(name, (child = emptyNode()));
      node = child;
    }
    return node;
  }

  /** Whether a folder or file is guarded under exactly this spelling. */
  has(path: string): boolean {
    return this.#paths.has(path);
  }

  touch(path: string): Touch | undefined {
    let node = this.#root;
    for (const name of namesIn(fold(path))) {
      if (node.isFolder || node.isCode) return 'inside';
      const child = node.children.get(name);
      if (child === undefined) return undefined;
      node = child;
    }
    return node.isFolder || node.isFile || node.isCode ? 'inside' : node.isAbove ? 'above' : undefined;
  }

  /** The same for a shell pattern. With `dotglob`, a leading `*` also matches a leading dot. */
  touchPattern(pattern: string, { dotglob }: { readonly dotglob: boolean }): Touch | undefined {
    const names = namesIn(fold(pattern)).map((name) => nameTest(name, dotglob));
    // `rm -rf node_modules/*` is everyday work, so a pattern for all names does not touch our own program.
    const matchesAll = /\/\*+$/.test(pattern);
    let isAbove = false;
    const isInside = (node: Node, depth: number): boolean => {
      if (depth === names.length) {
        isAbove ||= node.isAbove;
        return node.isFolder || node.isFile || (node.isCode && !matchesAll);
      }
      if (node.isFolder || node.isCode) return true;
      const test = names[depth]!;
      if (typeof test === 'string') {
        const child = node.children.get(test);
        return child !== undefined && isInside(child, depth + 1);
      }
      for (const [name, child] of node.children) if (test(name) && isInside(child, depth + 1)) return true;
      return false;
    };
    return isInside(this.#root, 0) ? 'inside' : isAbove ? 'above' : undefined;
  }

  /** The guarded folders and files below one of these folders, folders first. */
  below(...folders: readonly string[]): readonly string[] {
    const found = new Map<string, GuardedPath>();
    const collect = (node: Node): void => {
      for (const child of node.children.values()) {
        for (const guarded of child.paths) found.set(guarded.path, guarded);
        if (child.isAbove) collect(child);
      }
    };
    for (const folder of folders) {
      let node: Node | undefined = this.#root;
      for (const name of namesIn(fold(folder))) node = node?.children.get(name);
      if (node?.isAbove === true) collect(node);
    }
    return [...found.values()].toSorted((a, b) => a.position - b.position).map(({ path }) => path);
  }
}

const namesIn = (path: string): string[] => path.split('/').filter((name) => name !== '' && name !== '.');

/** A plain name, or a test for the names that a pattern matches. */
function nameTest(pattern: string, dotglob: boolean): string | ((name: string) => boolean) {
  if (!/[*?[{]|[@!+]\(/.test(pattern)) return pattern;
  const test = globTest(pattern);
  const hidesDots = !dotglob && /^[*?]/.test(pattern);
  return (name) => !(hidesDots && name.startsWith('.')) && test(name);
}

/** Whether a pattern may match a name. A pattern that cannot be read matches every name. */
export function globTest(glob: string): (name: string) => boolean {
  try {
    const parts = globParts(glob);
    return (name) => fitsWildcard(parts, name);
  } catch {
    return () => true; // an invalid set, such as `[z-a]`
  }
}

/** Braces, and sets that contain more than letters, match any text. */
function globParts(pattern: string): WildcardPart[] {
  const parts: WildcardPart[] = [];
  let from = 0;
  const addLetters = (until: number) => parts.push(...pattern.slice(from, until).split('').map(isLetter));
  for (const { 0: found, 1: negation, 2: letters, index } of pattern.matchAll(SPECIAL)) {
    addLetters(index);
    from = index + found.length;
    if (letters === undefined) parts.push(found === '?' ? () => true : ANY_TEXT);
    else parts.push(letterIn(`[${negation === undefined ? '' : '^'}${letters}]`));
  }
  addLetters(pattern.length);
  return parts;
}
const SPECIAL = /[@!+?*]\(.*\)|\[([!^])?([\w -]+)\]|\{.*\}|\[.*\]|\*+|[?{[]/g;

function letterIn(set: string): WildcardPart {
  const pattern = new RegExp(`^${set}$`, 's');
  return (letter) => pattern.test(letter);
}
