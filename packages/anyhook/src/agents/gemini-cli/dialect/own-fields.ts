/** Payload fields of Gemini that have other names or exist in no other agent. Some common fields are missing. */

import type { Fields } from '../../../events/effects.ts';

const LEFT_OUT = ['permission_mode', 'model', 'agent_id', 'agent_type', 'last_assistant_message'];

export function write(word: string, document: Fields): Fields {
  const shared = Object.entries(document).filter(([key]) => !LEFT_OUT.includes(key));
  return {
    transcript_path: '',
    // A dialect does not read the clock. The host can set the time; otherwise this default is used.
    timestamp: '1970-01-01T00:00:00.000Z',
    ...(word === 'AfterAgent' && { prompt: '', prompt_response: document['last_assistant_message'] ?? '' }),
    ...(word === 'Notification' && { details: {} }),
    ...Object.fromEntries(shared),
  };
}

export const read = (native: Fields): Fields =>
  native['prompt_response'] === undefined
    ? native
    : { ...native, last_assistant_message: native['prompt_response'] };
