/** Grok Build sends every field twice: in Claude Code's spelling and in its own. */

import type { Fields } from '../../../events/effects.ts';

/** Keys that differ by more than case. */
const KEYS: Readonly<Record<string, string>> = {
  tool_response: 'toolResult',
  agent_id: 'subagentId',
  agent_type: 'subagentType',
};
const camel = (key: string): string =>
  KEYS[key] ?? key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const snake = (word: string): string =>
  word.replaceAll(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

export function write(word: string, document: Fields): Fields {
  const twins = Object.entries(document).map(([key, value]) => [camel(key), value] as const);
  return {
    ...Object.fromEntries(twins),
    hookEventName: snake(word),
    workspaceRoot: document['cwd'],
    timestamp: new Date().toISOString(),
    ...(word === 'StopFailure' && { errorDetails: document['error'] }),
    // Input that we pass to a hook is never truncated.
    ...('tool_input' in document && { toolInputTruncated: false }),
    ...('tool_response' in document && { toolResultTruncated: false }),
    ...document,
  };
}

/** Reads Claude Code's spelling. */
export const read = (native: Fields): Fields => native;
