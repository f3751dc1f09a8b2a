/** Do the letters of a text speak of something guarded? For texts that nobody can resolve. */
import { basename } from 'node:path';
import { fold } from './fold.ts';
import type { GuardedPaths } from './guarded.ts';
import { globTest } from './guarded-tree.ts';

export interface Names {
  /** A guarded name stands somewhere in it. */
  within(text: string): boolean;
  /** What stands before the first expansion may go on to become a guarded name. */
  begunBy(text: string): boolean;
  /** It ends in a guarded name. */
  ends(path: string): boolean;
  /** The same of a pattern that a shell looks files up by. */
  mayEnd(pattern: string): boolean;
}

/** Names that mean little without their folder. */
const COMMON = /^(?:config|settings|hooks|package|index|main)(?:\.local)?\.\w+$/;

export function makeNames(guarded: Omit<GuardedPaths, 'code'>): Names {
  const [folders, files] = [guarded.folders.map(fold), guarded.files.map(fold)];
  // Most calls give nobody a text to look through.
  const tails = once(() => {
    const around = folders.map((folder) => `${folder}/`);
    const outside = files.filter((file) => !around.some((folder) => file.startsWith(folder)));
    return [
      ...folders.map((path) => (basename(path).startsWith('.') ? basename(path) : lastTwo(path))),
      ...outside.map((path) => (COMMON.test(basename(path)) ? lastTwo(path) : basename(path))),
    ];
  });
  // One scan of the text, however many names are guarded.
  const anyTail = once(() => {
    const escaped = [...new Set(tails())].map((tail) => tail.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    return escaped.length === 0 ? /(?!)/ : new RegExp(escaped.join('|'));
  });
  const bases = once(() => new Set([...folders, ...files].map((path) => basename(path))));
  const plainly = (text: string) => straight(fold(text.replaceAll(/["'\\]/g, '')));
  return {
    within: (text) => {
      return anyTail().test(plainly(text));
    },
    mayEnd: (pattern) => {
      const test = globTest(basename(fold(pattern)));
      return [...bases()].some(test);
    },
    begunBy: (text) => {
      const lead = plainly(text.slice(0, text.search(/[$`]/)))
        .split('/')
        .at(-1)!;
      return lead.length >= 2 && tails().some((tail) => tail.startsWith(lead));
    },
    ends: (path) => bases().has(basename(plainly(path))),
  };
}

/** `a//b`, `a/./b` and `a/x/../b` are one place by three names. */
function straight(text: string): string {
  const said = text.replaceAll(/\/(?:\.?\/)+/g, '/');
  if (!said.includes('/../')) return said;
  return said.replaceAll(/(?<=\/)[^/\s]+\/\.\.\//g, (part) => (part === '../../' ? part : ''));
}

const lastTwo = (path: string): string => path.split('/').slice(-2).join('/');

function once<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined;
  return () => (made ??= { it: make() }).it;
}
