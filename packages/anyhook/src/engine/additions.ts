/**
 * Detects changes that only add text to what the model reads. A host that cannot make such a change can pass
 * the text to the model as context.
 */

import { same } from '../events/changes.ts';
import { contentText } from '../events/content.ts';
import type { Fields } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import { type EventName, rowOf } from '../events/events.ts';
import { isFields } from '../events/fields.ts';
import type { Ruling } from '../events/outcome.ts';
import type { Wish } from '../events/repeated.ts';

/** Returns the added texts, or undefined if a hook also changed or removed something. */
export function additionsIn({ changed, payload }: Ruling, event: Event): Ruling['said'] | undefined {
  const before = event.payload as Fields;
  const { modelReads: readFields = [] } = rowOf(event.name);
  const texts: Ruling['said'][number][] = [];
  for (const { by, at } of changed) {
    const added = readFields.includes(at) ? addedTo(before[at], payload[at]) : undefined;
    if (added === undefined) return undefined;
    for (const text of added)
      if (!isKnown(text, before) && !texts.some((one) => one.text.includes(text)))
        texts.push({ by, to: 'model', text });
  }
  return texts;
}

/**
 * Compares the changes of a hook that ran twice. Returns true if each run only added text to what the model
 * reads. The first addition then counts and the second is ignored, because it may differ (for example in the
 * time of day). Returns false if the second run changes anything else, or if part of the first result is
 * missing.
 */
export function repeatsAddition(first: Wish, again: Wish, name: EventName): boolean {
  const { modelReads: readFields = [] } = rowOf(name);
  const [was, left, shown, wanted] = [first.shown, first.wanted, again.shown, again.wanted] as Quad<Fields>;
  return Object.keys({ ...shown, ...wanted }).every((key) => {
    if (same(shown[key], wanted[key])) return true;
    const before = addedTo(was[key], left[key]) ?? [];
    const isOnTop = [addedTo(left[key], shown[key]), addedTo(shown[key], wanted[key])].every(Boolean);
    return readFields.includes(key) && before.length > 0 && isOnTop;
  });
}
type Quad<T> = readonly [T, T, T, T];

function addedTo(before: unknown, after: unknown): readonly string[] | undefined {
  if (typeof after === 'string') return addedText(typeof before === 'string' ? before : '', after);
  if (!Array.isArray(after)) return undefined;
  const rest = Array.isArray(before) ? [...(before as unknown[])] : [];
  const added = (after as unknown[]).filter((part) => {
    if (rest.length === 0 || !same(rest[0], part)) return true;
    rest.shift();
    return false;
  });
  return rest.length > 0 ? addedInside(before, after as unknown[]) : added.map(partText);
}

/**
 * A dialect whose tool results are a single text returns the parts joined, with the addition somewhere
 * inside. Compares both sides as one text.
 */
function addedInside(before: unknown, after: readonly unknown[]): readonly string[] | undefined {
  if (!Array.isArray(before)) return undefined;
  const others = [before as unknown[], after].map((parts) => parts.filter((part) => !isText(part)));
  if (!same(others[0], others[1])) return undefined;
  const texts = [before as unknown[], after].map((parts) => contentText(parts.filter(isText), '\n'));
  return texts[0] === '' ? undefined : addedText(texts[0]!, texts[1]!);
}
const isText = (part: unknown): boolean =>
  typeof part === 'string' || (isFields(part) && typeof part['text'] === 'string');

function addedText(before: string, after: string): readonly string[] | undefined {
  const at = after.indexOf(before);
  if (at === -1) return undefined;
  return [after.slice(0, at), after.slice(at + before.length)].map((text) => text.trim()).filter(Boolean);
}

/** Describes a part that is not text by its type, because an image cannot be passed to the model this way. */
const partText = (part: unknown): string => {
  if (typeof part === 'string') return part.trim();
  const { text, type } = isFields(part) ? part : {};
  return typeof text === 'string'
    ? text.trim()
    : `(a part of type ${String(type)} that cannot be shown here)`;
};

/**
 * Returns true if the text is already a field of the payload. A hook may return the prompt as a list of
 * parts, and the prompt must not be repeated.
 */
const isKnown = (text: string, before: Fields): boolean =>
  text === '' || Object.values(before).some((value) => typeof value === 'string' && value.trim() === text);

/** Returns the text of a message that a hook gives, or undefined if it has none. */
export function messageText(value: unknown): string | undefined {
  const content = isFields(value) ? value['content'] : value;
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map(partText).join('\n') : undefined;
}
