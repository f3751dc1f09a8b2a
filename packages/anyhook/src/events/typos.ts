/**
 * Reports settings keys that look like misspelt or misplaced keys of ours. Without the report, their hooks
 * would silently not run.
 */

import { shown, type Spot } from './checker.ts';
import { isFields } from './fields.ts';
import { nearest } from './problems.ts';

export interface ReadKeys {
  /** Keys of this object that we read. Other keys may belong to other programs. */
  readonly known: readonly string[];
  /** The dialect's native event names, and the key that they belong under. */
  readonly events?: { readonly words: readonly string[]; readonly key: string };
  /** Returns the key that a value belongs under, for values that are recognised by their content. */
  readonly keyFor?: (value: unknown) => string | undefined;
}

/** Reports keys that differ from a known key by a typo, or whose value belongs under one. */
export function reportTypos(spot: Spot, { known, events, keyFor }: ReadKeys): void {
  if (!isFields(spot.value)) return;
  for (const [key, value] of Object.entries(spot.value)) {
    const part = spot.part(key);
    if (known.includes(key)) {
      if (events !== undefined && key !== events.key && listsByEvent(value, events.words))
        part.report('bad-value', `contains hooks that belong under ${shown(events.key)}`, { at: 'key' });
      continue;
    }
    if (events?.words.includes(key) && typeof value === 'object' && value !== null) {
      const remedy = `Move it into ${shown(events.key)}. Its hooks do not run until then.`;
      part.report('unknown-key', `is outside ${shown(events.key)}`, { at: 'key', remedy });
      continue;
    }
    if (events !== undefined && isFields(value) && holdsHooks(value[events.key], events.words)) {
      const remedy = `Move ${shown(events.key)} out of it. Its hooks do not run until then.`;
      part.report('unknown-key', `contains ${shown(events.key)} one level too deep`, { at: 'key', remedy });
      continue;
    }
    const held = events && holdsHooks(value, events.words) ? events.key : keyFor?.(value);
    const meant = held ?? known.find((one) => isMeant(key, one, value));
    if (meant !== undefined)
      part.report('unknown-key', `unknown key ${shown(key)}`, {
        at: 'key',
        remedy: `Did you mean ${shown(meant)}?`,
      });
  }
}

/** A list also matches by half of its name: `packs` for `packages`. */
const isMeant = (key: string, one: string, value: unknown): boolean =>
  nearest(key, [one], maxTypos(one)) !== undefined ||
  (Array.isArray(value) && one.length > 5 && sharedEnds(key, one) >= one.length / 2);

/** Returns the number of letters that two words share at the start or at the end. */
function sharedEnds(a: string, b: string): number {
  const shared = (x: string, y: string) => {
    let count = 0;
    while (count < x.length && x[count] === y[count]) count++;
    return count;
  };
  const backwards = (text: string) => text.split('').reverse().join('');
  return Math.max(shared(a, b), shared(backwards(a), backwards(b)));
}

/**
 * Allows one wrong letter in a short word: `tools` differs from `hooks` by two letters and is a key of its
 * own.
 */
const maxTypos = (word: string): number => (word.length < 6 ? 1 : Infinity);

/**
 * Recognises hooks indexed by event, or a list of entries with an event each. Allows misspelt event names and
 * one level of nesting too much.
 */
export function holdsHooks(value: unknown, words: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((entry) => isEntry(entry, words));
  return (
    isFields(value) &&
    Object.entries(value).some(
      ([word, list]) =>
        words.includes(word) ||
        (Array.isArray(list) && (isNear(word, words) || list.some((entry) => isEntry(entry, words)))),
    )
  );
}
function isEntry(entry: unknown, words: readonly string[]): boolean {
  if (!isFields(entry)) return false;
  const keys = Object.keys(entry);
  const event = keys.find((key) => isNear(key, ['event']));
  return event !== undefined && (isNear(entry[event], words) || keys.some((key) => isNear(key, ['command'])));
}
/** Short words are too similar to each other. */
const isNear = (word: unknown, words: readonly string[]): boolean =>
  typeof word === 'string' &&
  (words.includes(word) ||
    nearest(
      word,
      words.filter(({ length }) => length > 4),
      2,
    ) !== undefined);

/** Stricter than `holdsHooks`: a key with another meaning may contain a word that is also an event name. */
const listsByEvent = (value: unknown, words: readonly string[]): boolean =>
  isFields(value) && Object.entries(value).some(([word, one]) => words.includes(word) && Array.isArray(one));

/** Recognises a list of module files. */
export const listsModules = (value: unknown): boolean =>
  Array.isArray(value) && value.some((one) => typeof one === 'string' && /\.[cm]?[jt]s$/.test(one.trim()));
