/** Recognises exports for the SDK by their shape: an object with SDK events as keys. */

import { isFields } from '../../../events/fields.ts';
import type { HooksByEvent } from './hook-callback.ts';
import { HOOK_EVENTS, isHookEvent } from './hook-event.ts';

/** Returns the object itself, or the `hooks` of `query` options; undefined: something else. */
export function exportedHooks(value: unknown): HooksByEvent | undefined {
  if (!isFields(value)) return undefined;
  if (Object.keys(value).some((word) => isHookEvent(word) && isRegistered(value[word]))) return value;
  return isFields(value['hooks']) ? exportedHooks(value['hooks']) : undefined;
}

/** The first line with the event as a key. */
export function lineOfEvent(source: string, event: string): number {
  const key = new RegExp(`\\b${event}\\b['"\\]]*\\s*(?:[:(]|=(?!=))`);
  const at = source.split('\n').findIndex((line) => key.test(line));
  return at < 0 ? 1 : at + 1;
}

const AS_KEY = new RegExp(`\\b(?:${HOOK_EVENTS.join('|')})['"\\]]*\\s*[:(]`);
/** A check of the source text before loading. A module that listens (`pi.on('…')`) belongs to another agent. */
export const looksExported = (source: string): boolean =>
  AS_KEY.test(source) && !/\.on\(\s*['"`]/.test(source);

/** A callback, a matcher with callbacks, or a list of them. A string under such a name is not a hook. */
const isRegistered = (value: unknown): boolean =>
  typeof value === 'function' ||
  (Array.isArray(value) ? value.some(isRegistered) : isFields(value) && Array.isArray(value['hooks']));
