import type { Fields } from '../../../events/effects.ts';
import { isFields } from '../../../events/fields.ts';

/** What the model is shown of a result; each tool keeps it elsewhere. */
export function shownIn(said: Fields): unknown {
  const { output_for_prompt: plain, EditsApplied: edits, output } = said;
  if (typeof plain === 'string') return plain;
  if (isFields(edits) && typeof edits['tool_output_for_prompt'] === 'string')
    return edits['tool_output_for_prompt'];
  if (typeof output === 'string') return output;
  return Object.entries(said)
    .filter(([key, value]) => key !== 'type' && typeof value === 'string')
    .map(([, value]) => value)[0];
}
