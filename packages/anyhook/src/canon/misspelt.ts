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
    const held = events && holdsHooks(value, events.words) ? events.key : keyFor?.(value);
    const meant = held ?? known.find((one) => nearest(key, [one], slipsIn(one)) !== undefined);
    if (meant !== undefined)
      part.say('unknown-key', `unknown key ${shown(key)}`, {
        at: 'key',
        remedy: `Did you mean ${shown(meant)}?`,
      });
  }
}

/** Of a short word one letter: `tools` is two away from `hooks`, and a key of its own. */
const slipsIn = (word: string): number => (word.length < 6 ? 1 : Infinity);

/** By event, or as a list of entries that name theirs. */
export function holdsHooks(value: unknown, words: readonly string[]): boolean {
  const names = (word: unknown) => typeof word === 'string' && words.includes(word);
  if (Array.isArray(value)) return value.some((entry) => isFields(entry) && names(entry['event']));
  return isFields(value) && Object.keys(value).some(names);
}

/** Beyond doubt: a key that is read for something else may still hold a word that is an event's. */
const listsByEvent = (value: unknown, words: readonly string[]): boolean =>
  isFields(value) && Object.entries(value).some(([word, one]) => words.includes(word) && Array.isArray(one));

/** A list of module files. */
export const listsModules = (value: unknown): boolean =>
  Array.isArray(value) && value.some((one) => typeof one === 'string' && /\.[cm]?[jt]s$/.test(one.trim()));
