/** What hooks only added to what the model reads: where it cannot be put in there, it can be told beside it. */
import { same } from '../events/changes.ts';
import { contentText } from '../events/content.ts';
import type { Fields } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import { type EventName, rowOf } from '../events/events.ts';
import { isFields } from '../events/fields.ts';
import type { Ruling } from '../events/outcome.ts';
import type { Wish } from '../events/repeated.ts';

/** The texts that were added; undefined when anything was changed or taken away as well. */
export function additionsIn({ changed, payload }: Ruling, event: Event): Ruling['said'] | undefined {
  const before = event.payload as Fields;
  const { told = [] } = rowOf(event.name);
  const said: Ruling['said'][number][] = [];
  for (const { by, at } of changed) {
    const added = told.includes(at) ? addedTo(before[at], payload[at]) : undefined;
    if (added === undefined) return undefined;
    for (const text of added)
      if (!isKnown(text, before) && !said.some((one) => one.text.includes(text)))
        said.push({ by, to: 'model', text });
  }
  return said;
}

/**
 * A hook that was asked again: has it only added to what the model reads, where it had added before? Then its first addition
 * counts and the second, which may differ (the time of day in it), is left out. False when it changes anything else, or when
 * what it had left the first time is no longer all there.
 */
export function tellsAgain(first: Wish, again: Wish, name: EventName): boolean {
  const { told = [] } = rowOf(name);
  const [was, left, shown, wanted] = [first.shown, first.wanted, again.shown, again.wanted] as Quad<Fields>;
  return Object.keys({ ...shown, ...wanted }).every((key) => {
    if (same(shown[key], wanted[key])) return true;
    const before = addedTo(was[key], left[key]) ?? [];
    const isOnTop = [addedTo(left[key], shown[key]), addedTo(shown[key], wanted[key])].every(Boolean);
    return told.includes(key) && before.length > 0 && isOnTop;
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

/** A dialect whose results are one text hands the parts back joined, with the addition inside: compare them as one text. */
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

/** What is no text is named: the model cannot be handed a picture this way. */
const partText = (part: unknown): string => {
  if (typeof part === 'string') return part.trim();
  const { text, type } = isFields(part) ? part : {};
  return typeof text === 'string'
    ? text.trim()
    : `(a part of type ${String(type)} that cannot be shown here)`;
};

/** Was this text there before, as a field of its own? A hook may hand a prompt back as a list of parts: it is not told twice. */
const isKnown = (text: string, before: Fields): boolean =>
  text === '' || Object.values(before).some((value) => typeof value === 'string' && value.trim() === text);

/** The text of a message that a hook gives, where it has one. */
export function messageText(value: unknown): string | undefined {
  const content = isFields(value) ? value['content'] : value;
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map(partText).join('\n') : undefined;
}
