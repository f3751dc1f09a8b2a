/** Usage in Qwen Code's chat file. */

import { isFields } from '../../events/fields.ts';
import { isAmount } from '../../events/usage.ts';
import type { UsageReader } from '../shared/usage/source.ts';
import { countsOf } from '../shared/usage/tally.ts';

export const usageReader: UsageReader = {
  files: ({ scene: { transcript } }) => (transcript === undefined ? undefined : { main: transcript }),
  marks: ['"usageMetadata":{'],
  read({ uuid, type, usageMetadata }) {
    if (type !== 'assistant' || !isFields(usageMetadata)) return undefined;
    const { promptTokenCount, candidatesTokenCount, totalTokenCount, cachedContentTokenCount } =
      usageMetadata;
    // Its providers disagree on whether reasoning is part of the answer; the total contains it in either case.
    const output =
      isAmount(totalTokenCount) && isAmount(promptTokenCount)
        ? Math.max(0, totalTokenCount - promptTokenCount)
        : candidatesTokenCount;
    const counts = countsOf(promptTokenCount, output, cachedContentTokenCount);
    return counts && { counts, ...(typeof uuid === 'string' && { request: uuid }) };
  },
};
