/** Finds the names of guarded paths in texts that cannot be resolved: unparsed shell text, and code in other languages. */

import { basename } from 'node:path';
import { fold } from './compare-paths.ts';
import { globTest } from './guarded-tree.ts';
import type { GuardedPaths } from './guarded.ts';

/** Names that say little without their folder. */
const COMMON = /^(?:config|settings|hooks|package|index|main)(?:\.local)?\.\w+$/;

export class GuardedNames {
  readonly #folders: readonly string[];
  readonly #files: readonly string[];
  // Computed on demand: most calls contain no text to search.
  #tails: readonly string[] | undefined;
  #anyTail: RegExp | undefined;
  #basenames: ReadonlySet<string> | undefined;

  constructor({ folders, files }: Omit<GuardedPaths, 'code'>) {
    this.#folders = folders.map(fold);
    this.#files = files.map(fold);
  }

  /** The text contains a guarded name. */
  within(text: string): boolean {
    // One scan of the text, however many names are guarded.
    this.#anyTail ??=
      this.tails.length === 0
        ? /(?!)/
        : new RegExp(this.tails.map((tail) => tail.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'));
    return this.#anyTail.test(withoutQuotes(text));
  }

  /** The name before the first expansion is the start of a guarded name. */
  begunBy(text: string): boolean {
    const lead = withoutQuotes(text.slice(0, text.search(/[$`]/)))
      .split('/')
      .at(-1)!;
    return lead.length >= 2 && this.tails.some((tail) => tail.startsWith(lead));
  }

  /** The last name of the path is a guarded one. */
  ends(path: string): boolean {
    return this.basenames.has(basename(withoutQuotes(path)));
  }

  /** The last name of the shell pattern matches a guarded one. */
  mayEnd(pattern: string): boolean {
    return [...this.basenames].some(globTest(basename(fold(pattern))));
  }

  /** Code in another language contains a guarded name, or builds one from its string literals. */
  withinCode(code: string): boolean {
    if (this.within(code)) return true;
    const joined = code.replaceAll(/(["'`])\s*(?:\+|\.\.?)\s*\1/g, '');
    const literals = [...joined.matchAll(LITERALS)].map(([, , literal]) => literal!);
    return literals.length > 1 && ['', '/'].some((between) => this.within(literals.join(between)));
  }

  private get tails(): readonly string[] {
    if (this.#tails !== undefined) return this.#tails;
    const prefixes = this.#folders.map((folder) => `${folder}/`);
    const outside = this.#files.filter((file) => !prefixes.some((prefix) => file.startsWith(prefix)));
    return (this.#tails = [
      ...new Set([
        ...this.#folders.map((path) => (basename(path).startsWith('.') ? basename(path) : lastTwo(path))),
        ...outside.map((path) => (COMMON.test(basename(path)) ? lastTwo(path) : basename(path))),
      ]),
    ]);
  }

  private get basenames(): ReadonlySet<string> {
    return (this.#basenames ??= new Set([...this.#folders, ...this.#files].map((path) => basename(path))));
  }
}

const LITERALS = /(["'`])((?:\\.|(?!\1)[^\\])*)\1/gs;

/** Code that deletes, renames or runs something whose name it computes from encoded letters. */
export const computesNames = (code: string): boolean => COMPUTED_NAME.test(code);
const COMPUTED_NAME =
  /\b(?:remove|removedirs|unlink|unlinkSync|rmtree|rmSync|rmdirSync|rm_rf|rename|renameSync|truncate|truncateSync|chmod|chmodSync|system|popen|exec|execSync|spawnSync)\s*\(\s*[^'",)]*(?:b64decode|a85decode|fromhex|unhexlify|rot13|\batob|fromCharCode|\bchr\(|Buffer\.from)/;

const withoutQuotes = (text: string): string => normalized(fold(text.replaceAll(/["'\\]/g, '')));

/** `a//b`, `a/./b` and `a/x/../b` are the same path. */
function normalized(text: string): string {
  const path = text.replaceAll(/\/(?:\.?\/)+/g, '/');
  if (!path.includes('/../')) return path;
  return path.replaceAll(/(?<=\/)[^/\s]+\/\.\.\//g, (part) => (part === '../../' ? part : ''));
}

const lastTwo = (path: string): string => path.split('/').slice(-2).join('/');
