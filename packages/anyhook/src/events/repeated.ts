/**
 * Detects whether a hook that sees its own earlier change only wants to repeat it. Only additions can be
 * recognised: text or list elements before or after the old value. Removing or replacing something is a new
 * change.
 */

import { isPlain, same } from './changes.ts';

/** What a hook received, and what it wants instead. */
export interface Wish {
  readonly shown: unknown;
  readonly wanted: unknown;
}

/** Returns true if the hook added all of it before and it is still there. */
export function isRepeated(first: Wish, again: Wish): boolean {
  if (same(again.shown, again.wanted)) return true;
  const all = [first.shown, first.wanted, again.shown, again.wanted];
  if (all.every(isPlain) || all.every(isList)) {
    if (all.every(isPlain) || [first, again].every(isAsLong))
      return keysOf(again).every((key) => isRepeated(at(first, key), at(again, key)));
    const elements: unknown[] = [];
    return isAddedAgain(...(all.map((list) => spelled(list as unknown[], elements)) as Texts));
  }
  return all.every((one) => typeof one === 'string') && isAddedAgain(...(all as Texts));
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const isAsLong = ({ shown, wanted }: Wish) => (shown as unknown[]).length === (wanted as unknown[]).length;
const keysOf = ({ shown, wanted }: Wish): string[] => [
  ...new Set([...Object.keys(shown as object), ...Object.keys(wanted as object)]),
];
const at = ({ shown, wanted }: Wish, key: string): Wish => ({
  shown: (shown as Record<string, unknown>)[key],
  wanted: (wanted as Record<string, unknown>)[key],
});

type Texts = [was: string, became: string, shown: string, wanted: string];

function isAddedAgain(was: string, became: string, shown: string, wanted: string): boolean {
  return additions(was, became).some(([front, back]) => {
    if (wanted !== front + shown + back) return false;
    const place = shown.indexOf(front);
    return place !== -1 && shown.indexOf(back, place + front.length) !== -1;
  });
}

/**
 * Returns the possible splits into front and back: all in front, all behind, or around the first occurrence
 * of the old text.
 */
function additions(was: string, became: string): [front: string, back: string][] {
  const more = became.length - was.length;
  if (more <= 0) return [];
  return [more, 0, became.indexOf(was)]
    .filter((place) => place !== -1 && became.startsWith(was, place))
    .map((place) => [became.slice(0, place), became.slice(place + was.length)]);
}

/** Encodes a list as a string with one character per different element, so that one rule works for both. */
const spelled = (list: readonly unknown[], elements: unknown[]): string =>
  list
    .map((element) => {
      const known = elements.findIndex((other) => isAlike(element, other));
      return String.fromCodePoint(known === -1 ? elements.push(element) - 1 : known);
    })
    .join('');

/** Compares elements without their `id`, because a new element gets a new one. */
function isAlike(a: unknown, b: unknown): boolean {
  if (!isPlain(a) || !isPlain(b)) return same(a, b);
  const [{ id: _a, ...one }, { id: _b, ...other }] = [a, b];
  return same(one, other);
}
