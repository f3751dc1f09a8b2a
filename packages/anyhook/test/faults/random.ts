/** Seeded random numbers, and a text mutator that knows the syntax of answers and settings. */
export interface Dice {
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
}

/** Small, fast and repeatable (mulberry32). */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number): number => next() % limit;
  return { below, pick: (from) => from[below(from.length)]! };
}

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  ':',
  ',',
  '\\',
  '\\u0061',
  '\n',
  '\r\n',
  ' ',
  '\t',
  '\0',
].concat([
  '\uFEFF',
  '\uD800',
  '\uFFFD',
  '\u001B[31m',
  '0',
  '1e400',
  '-1',
  '//',
  '/*',
  '#',
  'null',
  'true',
  'false',
  '"__proto__"',
  '"constructor"',
]);

/** One small change: a piece put in, taken out, doubled, moved, or a stretch of another text. */
export function mutated(text: string, others: readonly string[], { below, pick }: Dice): string {
  const at = below(text.length + 1);
  const cut = below(4) === 0 ? below(Math.min(40, text.length) + 1) : below(4);
  const patch = [
    () => pick(PIECES),
    () => pick(others),
    () => String.fromCharCode(below(0x250)),
    () => '',
    () => text.slice(at, at + 1 + below(20)),
    () => swappedCase(text.slice(at, at + cut)),
  ][below(6)]!();
  return text.slice(0, at) + patch + text.slice(at + cut);
}

const swappedCase = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
