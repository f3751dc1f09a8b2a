/** Usage in Gemini CLI's session file. A message is written again with the results of its calls. */

import { isFields } from '../../events/fields.ts';
import { isAmount } from '../../events/usage.ts';
import type { UsageReader } from '../shared/usage/source.ts';
import { countsOf } from '../shared/usage/tally.ts';

export const usageReader: UsageReader = {
  files: ({ scene: { transcript } }) => (transcript === undefined ? undefined : { main: transcript }),
  marks: ['"tokens":{'],
  read({ id, type, tokens }) {
    if (type !== 'gemini' || typeof id !== 'string' || !isFields(tokens)) return undefined;
    const { input, output, thoughts, cached } = tokens;
    if (!isAmount(output)) return undefined;
    const counts = countsOf(input, output + (isAmount(thoughts) ? thoughts : 0), cached);
    return counts && { request: id, counts };
  },
};
