/** Globs over command text: `*` any run, `?` one character, `[…]` a set; everything else is literal. */

export interface Glob {
  readonly matches: (text: string) => boolean;
  /** The letters before the first wildcard. */
  readonly literal: string;
  /** Nothing follows `literal`. */
  readonly isLiteral: boolean;
}

/** Marks text that only run time knows. `*` matches it; `?` and sets do not. */
export const RUN_TIME = '\0';

/** `git push:*` matches these words, followed by a space or the end. */
export function compileGlob(source: string): Glob {
  if (source.endsWith(':*')) {
    const prefix = source.slice(0, -2);
    return {
      literal: prefix,
      isLiteral: true,
      matches: (text) => text === prefix || text.startsWith(`${prefix} `),
    };
  }
  const segments = readSegments(source);
  const first = segments[0] ?? [];
  const wild = first.findIndex((item) => typeof item !== 'string');
  const literal = (wild === -1 ? first : first.slice(0, wild)).join('');
  const isLiteral = wild === -1 && segments.length === 1;
  return { literal, isLiteral, matches: (text) => matchSegments(segments, text) };
}

/** One character: itself, or a test. */
type Item = string | ((char: string) => boolean);
/** The part between two `*`. */
type Segment = readonly Item[];

function readSegments(source: string): Segment[] {
  const segments: Item[][] = [[]];
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at);
    const set = char === '[' ? readSet(source, at) : undefined;
    const here = segments.at(-1);
    if (char === '*') segments.push([]);
    else if (char === '?') here?.push(() => true);
    else here?.push(set?.has ?? char);
    at = set?.end ?? at;
  }
  return segments;
}

/** Without a closing bracket, `[` is a letter. A `]` at the start belongs to the set. */
function readSet(
  source: string,
  open: number,
): { readonly has: (char: string) => boolean; readonly end: number } | undefined {
  const isNegated = source.charAt(open + 1) === '!' || source.charAt(open + 1) === '^';
  const from = open + (isNegated ? 2 : 1);
  const end = source.indexOf(']', from + 1);
  if (end === -1) return undefined;
  const ranges: [string, string][] = [];
  for (let at = from; at < end; at++) {
    const first = source.charAt(at);
    const isRange = source.charAt(at + 1) === '-' && at + 2 < end;
    ranges.push([first, isRange ? source.charAt(at + 2) : first]);
    if (isRange) at += 2;
  }
  return { has: (char) => ranges.some(([low, high]) => low <= char && char <= high) !== isNegated, end };
}

/** The first and last segments match at the ends, the others at their first position, so matching never backtracks. */
function matchSegments(segments: readonly Segment[], text: string): boolean {
  const [first = [], ...others] = segments;
  const last = others.pop();
  if (!fitsAt(first, text, 0)) return false;
  if (last === undefined) return text.length === first.length;
  let at = first.length;
  for (const segment of others) {
    const found = find(segment, text, at);
    if (found === -1) return false;
    at = found + segment.length;
  }
  return text.length - last.length >= at && fitsAt(last, text, text.length - last.length);
}

function find(segment: Segment, text: string, from: number): number {
  if (segment.every((item) => typeof item === 'string')) return text.indexOf(segment.join(''), from);
  for (let at = from; at + segment.length <= text.length; at++) if (fitsAt(segment, text, at)) return at;
  return -1;
}

const fitsAt = (segment: Segment, text: string, at: number): boolean =>
  at + segment.length <= text.length && segment.every((item, offset) => fits(item, text.charAt(at + offset)));

const fits = (item: Item, char: string): boolean =>
  typeof item === 'string' ? item === char : char !== RUN_TIME && item(char);
