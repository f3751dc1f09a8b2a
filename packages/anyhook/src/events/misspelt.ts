/** A key of somebody's settings that was meant to be the one we read: left alone, its hooks would be missed by nobody. */
import { shown, type Spot } from './checker.ts';
import { isFields } from './fields.ts';
import { nearest } from './problems.ts';

export interface ReadKeys {
  /** The keys of this object that are read here; any other may be somebody else's business. */
  readonly known: readonly string[];
  /** The dialect's words for events, and the key under which they belong. */
  readonly events?: { readonly words: readonly string[]; readonly key: string };
  /** The key under which such a value belongs, for what is known by its looks. */
  readonly keyFor?: (value: unknown) => string | undefined;
}

/** A slip of the pen away from a key that is read, or holding what belongs under it. */
export function sayMisspelt(spot: Spot, { known, events, keyFor }: ReadKeys): void {
  if (!isFields(spot.value)) return;
  for (const [key, value] of Object.entries(spot.value)) {
    const part = spot.part(key);
    if (known.includes(key)) {
      if (events !== undefined && key !== events.key && listsByEvent(value, events.words))
        part.say('bad-value', `holds what belongs under ${shown(events.key)}`, { at: 'key' });
      continue;
    }
    if (events?.words.includes(key) && typeof value === 'object' && value !== null) {
      const remedy = `Move it into ${shown(events.key)}. Its hooks do not run until then.`;
      part.say('unknown-key', `stands outside ${shown(events.key)}`, { at: 'key', remedy });
      continue;
    }
    if (events !== undefined && isFields(value) && holdsHooks(value[events.key], events.words)) {
      const remedy = `Move ${shown(events.key)} out of it. Its hooks do not run until then.`;
      part.say('unknown-key', `holds ${shown(events.key)} one level too deep`, { at: 'key', remedy });
      continue;
    }
    const held = events && holdsHooks(value, events.words) ? events.key : keyFor?.(value);
    const meant = held ?? known.find((one) => isMeant(key, one, value));
    if (meant !== undefined)
      part.say('unknown-key', `unknown key ${shown(key)}`, {
        at: 'key',
        remedy: `Did you mean ${shown(meant)}?`,
      });
  }
}

/** A list is also known by half of its name: `packs` for `packages`. */
const isMeant = (key: string, one: string, value: unknown): boolean =>
  nearest(key, [one], slipsIn(one)) !== undefined ||
  (Array.isArray(value) && one.length > 5 && sharedEnds(key, one) >= one.length / 2);

/** How many letters two words have in common at their beginnings or at their ends. */
function sharedEnds(a: string, b: string): number {
  const shared = (x: string, y: string) => {
    let count = 0;
    while (count < x.length && x[count] === y[count]) count++;
    return count;
  };
  const backwards = (text: string) => text.split('').reverse().join('');
  return Math.max(shared(a, b), shared(backwards(a), backwards(b)));
}

/** Of a short word one letter: `tools` is two away from `hooks`, and a key of its own. */
const slipsIn = (word: string): number => (word.length < 6 ? 1 : Infinity);

/** By event, or as a list of entries that name theirs; also where that is misspelt as well, or slid one level down. */
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
/** Short words are near to too many others. */
const isNear = (word: unknown, words: readonly string[]): boolean =>
  typeof word === 'string' &&
  (words.includes(word) ||
    nearest(
      word,
      words.filter(({ length }) => length > 4),
      2,
    ) !== undefined);

/** Beyond doubt: a key that is read for something else may still hold a word that is an event's. */
const listsByEvent = (value: unknown, words: readonly string[]): boolean =>
  isFields(value) && Object.entries(value).some(([word, one]) => words.includes(word) && Array.isArray(one));

/** A list of module files. */
export const listsModules = (value: unknown): boolean =>
  Array.isArray(value) && value.some((one) => typeof one === 'string' && /\.[cm]?[jt]s$/.test(one.trim()));
