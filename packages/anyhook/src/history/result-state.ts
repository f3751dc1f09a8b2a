/** Whether a result shows that its call succeeded. Many agents report a failed shell command like a successful one. */

import type { Fields } from '../events/effects.ts';
import { isFields } from '../events/fields.ts';

const EXIT_KEYS: ReadonlySet<string> = new Set(['exit', 'exit_code', 'exitCode']);
const STOP_KEYS: ReadonlySet<string> = new Set(['interrupted', 'timed_out', 'timedOut', 'aborted']);
const DEEPEST = 4;
/** Only a failure is read from text, because a command could print a success itself. */
const FAILED_TEXT = /\bexit(?:ed)?(?: with)?(?: exit)?(?: code| status)?\s*[:=]?\s*-?[1-9]\d*\b/i;

export function resultState({ tool, isError, content, details }: Fields): 'ended' | 'succeeded' | 'failed' {
  if (isError === true) return 'failed';
  if (tool !== 'shell') return 'succeeded';
  const facts = [details, content].flatMap((value) => factsIn(value, DEEPEST));
  if (facts.includes('failed') || FAILED_TEXT.test(textIn(content))) return 'failed';
  return isError === false || facts.includes('succeeded') ? 'succeeded' : 'ended';
}

/** What exit codes and flags in a structured result say. */
function factsIn(value: unknown, depth: number): readonly ('succeeded' | 'failed')[] {
  if (depth === 0 || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    if (EXIT_KEYS.has(key) && typeof part === 'number')
      return [part === 0 ? ('succeeded' as const) : ('failed' as const)];
    if (STOP_KEYS.has(key) && part === true) return ['failed' as const];
    return factsIn(part, depth - 1);
  });
}

const textIn = (content: unknown): string =>
  (Array.isArray(content) ? content : [content])
    .map((part: unknown) => (isFields(part) ? part['text'] : part))
    .filter((text) => typeof text === 'string')
    .join('\n');
