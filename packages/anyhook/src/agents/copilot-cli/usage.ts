/** Usage in the events of a Copilot CLI session. Its `cost` counts premium requests, not dollars. */

import { join } from 'node:path';
import { isFields } from '../../events/fields.ts';
import { isAmount } from '../../events/usage.ts';
import { isPlainName, type UsageReader } from '../shared/usage/source.ts';
import { countsOf } from '../shared/usage/tally.ts';

export const usageReader: UsageReader = {
  files: ({ ids: { session } }, where) =>
    isPlainName(session)
      ? {
          main: join(
            where.env['COPILOT_HOME'] || join(where.home, '.copilot'),
            'session-state',
            session,
            'events.jsonl',
          ),
        }
      : undefined,
  marks: ['"session.usage_record"'],
  read({ type, data }) {
    if (type !== 'session.usage_record' || !isFields(data) || !isFields(data['usage'])) return undefined;
    const { inputTokens, outputTokens, cacheReadTokens, maxPromptTokens, apiCallId, interactionType } =
      data['usage'];
    const counts = countsOf(inputTokens, outputTokens, cacheReadTokens);
    return (
      counts && {
        counts,
        ...(typeof apiCallId === 'string' && { request: apiCallId }),
        ...(isAmount(maxPromptTokens) && { contextWindow: maxPromptTokens }),
        ...(interactionType !== 'conversation-agent' && { isSubagent: true }),
      }
    );
  },
};
