/** Usage in the session files of pi and oh-my-pi, with costs by the agent's own prices. */

import { isFields } from '../../events/fields.ts';
import { isAmount } from '../../events/usage.ts';
import type { UsageReader } from '../shared/usage/source.ts';
import { countsBeside } from '../shared/usage/tally.ts';

export const usageReader: UsageReader = {
  files: ({ scene: { transcript } }) => (transcript === undefined ? undefined : { main: transcript }),
  marks: ['"usage":{'],
  read({ type, id, message }) {
    if (type !== 'message' || !isFields(message) || message['role'] !== 'assistant') return undefined;
    const { usage } = message;
    if (!isFields(usage)) return undefined;
    const { input, output, cacheRead, cacheWrite, cost } = usage;
    const counts = countsBeside(input, output, { read: cacheRead, written: cacheWrite });
    const costUsd = isFields(cost) ? cost['total'] : undefined;
    return (
      counts && {
        counts,
        ...(typeof id === 'string' && { request: id }),
        ...(isAmount(costUsd) && { costUsd }),
      }
    );
  },
};
