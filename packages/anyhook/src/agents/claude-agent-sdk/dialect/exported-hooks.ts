/** What a module exports for the SDK, told by its shape: an object whose keys are the SDK's events. */
import { isFields } from '../../../events/fields.ts';
import type { HooksByEvent } from './hook-callback.ts';
import { HOOK_EVENTS, isHookEvent } from './hook-event.ts';

/** The object itself, or the `hooks` of an options object as `query` takes it; none: something else. */
export function exportedHooks(value: unknown): HooksByEvent | undefined {
  if (!isFields(value)) return undefined;
  if (Object.keys(value).some((word) => isHookEvent(word) && isRegistered(value[word]))) return value;
  return isFields(value['hooks']) ? exportedHooks(value['hooks']) : undefined;
}

/** The first line that names the event as a key. */
export function lineOfEvent(source: string, event: string): number {
  const key = new RegExp(`\\b${event}\\b['"\\]]*\\s*(?:[:(]|=(?!=))`);
  const at = source.split('\n').findIndex((line) => key.test(line));
  return at < 0 ? 1 : at + 1;
}

const AS_KEY = new RegExp(`\\b(?:${HOOK_EVENTS.join('|')})['"\\]]*\\s*[:(]`);
/** Before it is loaded, by its text: may it hold such hooks? A module that listens (`pi.on('…')`) is another agent's. */
export const looksExported = (source: string): boolean =>
  AS_KEY.test(source) && !/\.on\(\s*['"`]/.test(source);

/** A callback, a matcher with callbacks, or a list of them: a text under such a name is nobody's hook. */
const isRegistered = (value: unknown): boolean =>
  typeof value === 'function' ||
  (Array.isArray(value) ? value.some(isRegistered) : isFields(value) && Array.isArray(value['hooks']));
