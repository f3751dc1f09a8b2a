/** What is wrong with somebody's settings, said so that it can be mended. Collected, never only the first. */

/** Code → where to read on. A code is stable: people grep for it. */
export const PROBLEMS = {
  'file-unreadable': 'settings/files',
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
  /** Where in the document: `hooks[2].timeout`. */
  readonly key?: string;
  /** What is wrong, with the offending value. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string;
  /** A warning does not keep anything from loading. */
  readonly severity: 'error' | 'warning';
}

/** Messages are put together from parts; whatever follows one must not run into it. */
export const sentence = (message: string): string => (/[.!?:…]$/.test(message) ? message : `${message}.`);

/** What there is of these, each but the last ended as a sentence. */
export const sentences = (parts: readonly (string | undefined)[]): string =>
  parts
    .filter((part) => part !== undefined && part !== '')
    .map((part, i, all) => (i < all.length - 1 ? sentence(part!) : part))
    .join(' ');

export const show = (p: Problem): string =>
  `${p.file}${p.line === undefined ? '' : `:${p.line}${p.column === undefined ? '' : `:${p.column}`}`}: ` +
  `${p.key === undefined ? '' : `${p.key}: `}${sentences([p.message, p.remedy])} [${p.code}]`;

/** The nearest of the known words, when it is near enough to be what was meant; `most`: in letters, where less is certain. */
export function nearest(word: string, known: Iterable<string>, most = Infinity): string | undefined {
  const wanted = word.toLowerCase();
  let best: string | undefined;
  // Of a short word at most half: two letters apart, `xx` would be anything.
  const near = Math.min(Math.max(2, Math.floor(word.length / 3)), Math.max(1, Math.floor(word.length / 2)));
  let least = Math.min(near, most) + 1;
  for (const candidate of known) {
    if (Math.abs(wanted.length - candidate.length) >= least) continue; // before its small letters are made
    const distance = edits(wanted, candidate.toLowerCase(), least);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** The last three rows of a table, used again: of ten thousand matchers each is compared with every tool that we know. */
let before: number[] = [];
let row: number[] = [];
let next: number[] = [];

/** Damerau–Levenshtein (restricted), cut off at `limit`: swapped letters are the commonest slip. */
function edits(a: string, b: string, limit: number): number {
  for (let j = 0; j <= b.length; j++) row[j] = j;
  for (let i = 1; i <= a.length; i++) {
    next[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? before[j - 2]! + 1 : limit; // whole numbers only: V8 keeps them in their place
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const one = Math.min(row[j]! + 1, next[j - 1]! + 1, replaced, swapped);
      next[j] = one;
      if (one < least) least = one;
    }
    if (least >= limit) return limit; // no row after it can be less, nor one that swaps over it
    const free = before;
    before = row;
    row = next;
    next = free;
  }
  return row[b.length]!;
}
