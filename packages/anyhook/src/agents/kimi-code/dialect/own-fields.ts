/** Payload fields for which Kimi Code uses its own names. */

import type { Fields } from '../../../events/effects.ts';

export const write = (word: string, document: Fields): Fields => ({
  ...document,
  ...(word.startsWith('Subagent') && { agent_name: document['agent_type'] }),
  ...(word === 'SubagentStop' && { response: document['last_assistant_message'] ?? '' }),
  ...(word === 'StopFailure' && { error_message: document['error'] }),
});

export const read = (native: Fields): Fields =>
  native['response'] === undefined ? native : { last_assistant_message: native['response'], ...native };
