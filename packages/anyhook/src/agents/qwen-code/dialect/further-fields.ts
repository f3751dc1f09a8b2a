/** Payload fields that only Qwen Code sends. */

import type { Fields } from '../../../events/effects.ts';

export const write = (_word: string, document: Fields): Fields => ({
  ...document,
  timestamp: new Date().toISOString(),
  ...('tool_use_id' in document && { tool_call_id: document['tool_use_id'] }),
  ...('prompt' in document && { submitted_prompt: document['prompt'] }),
});

export const read = (native: Fields): Fields => native;
