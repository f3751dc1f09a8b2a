/** Problems in settings, each with a message and a remedy. All problems are collected, not only the first. */

/** Code → documentation page. Codes are stable, because users search for them. */
export const PROBLEMS = {
  'file-unreadable': 'settings/files',
  'unsafe-home': 'settings/trust',
  'file-too-large': 'settings/files',
  'file-not-regular': 'settings/files',
  syntax: 'settings/files',
  'duplicate-key': 'settings/files',
  'too-deep': 'settings/files',
  'reader-failed': 'settings/files',
  'unknown-event': 'settings/hooks',
  'foreign-event': 'settings/hooks',
  'unknown-key': 'settings/hooks',
  'wrong-type': 'settings/hooks',
  'bad-value': 'settings/hooks',
  'bad-matcher': 'settings/match',
  'matcher-unused': 'settings/match',
  'empty-list': 'settings/hooks',
  'not-loaded': 'runners/module',
  'stray-error': 'runners/isolated',
  'not-trusted': 'settings/trust',
  'not-managed': 'settings/policy',
  policy: 'settings/policy',
  'unknown-dialect': 'settings/dialects',
  'duplicate-hook': 'settings/hooks',
  'service-missing': 'concepts',
  'never-called': 'library',
} as const;
export type ProblemCode = keyof typeof PROBLEMS;

export interface Problem {
  readonly code: ProblemCode;
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** Path in the document: `hooks[2].timeout`. */
  readonly key?: string;
  /** What is wrong, with the offending value. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string;
  /** A warning does not keep anything from loading. */
  readonly severity: 'error' | 'warning';
}

/** Ends a message with a full stop if it has no punctuation, so that text can follow it. */
export const sentence = (message: string): string => (/[.!?:…]$/.test(message) ? message : `${message}.`);

/** Joins the parts that are set, each but the last ended as a sentence. */
export const sentences = (parts: readonly (string | undefined)[]): string =>
  parts
    .filter((part) => part !== undefined && part !== '')
    .map((part, i, all) => (i < all.length - 1 ? sentence(part!) : part))
    .join(' ');

export const show = (p: Problem): string =>
  `${p.file}${p.line === undefined ? '' : `:${p.line}${p.column === undefined ? '' : `:${p.column}`}`}: ` +
  `${p.key === undefined ? '' : `${p.key}: `}${sentences([p.message, p.remedy])} [${p.code}]`;

/**
 * Returns the most similar known word, or undefined if none is similar enough. `most` limits the number of
 * different letters.
 */
export function nearest(word: string, known: Iterable<string>, most = Infinity): string | undefined {
  const wanted = word.toLowerCase();
  let best: string | undefined;
  // At most half of a short word may differ, or `xx` would be similar to anything.
  const near = Math.min(Math.max(2, Math.floor(word.length / 3)), Math.max(1, Math.floor(word.length / 2)));
  let least = Math.min(near, most) + 1;
  for (const candidate of known) {
    if (Math.abs(wanted.length - candidate.length) >= least) continue; // compares lengths first, before it creates lower-case strings
    const distance = edits(wanted, candidate.toLowerCase(), least);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/**
 * The last three rows of the distance table, reused because ten thousand matchers are each compared with
 * every known tool.
 */
let before: number[] = [];
let row: number[] = [];
let next: number[] = [];

/**
 * Damerau–Levenshtein distance (restricted), stopped at `limit`. Swapped letters are the most common typo.
 */
function edits(a: string, b: string, limit: number): number {
  for (let j = 0; j <= b.length; j++) row[j] = j;
  for (let i = 1; i <= a.length; i++) {
    next[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? before[j - 2]! + 1 : limit; // integers only: V8 stores them unboxed
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const one = Math.min(row[j]! + 1, next[j - 1]! + 1, replaced, swapped);
      next[j] = one;
      if (one < least) least = one;
    }
    if (least >= limit) return limit; // later rows cannot be smaller, nor can a swap across this row
    const free = before;
    before = row;
    row = next;
    next = free;
  }
  return row[b.length]!;
}
