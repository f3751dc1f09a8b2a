/** Usage in Codex's rollout file. Each statement covers the whole thread. */

import { isFields } from '../../events/fields.ts';
import { isAmount, type TokenCounts } from '../../events/usage.ts';
import type { UsageReader } from '../shared/usage/source.ts';
import { countsOf } from '../shared/usage/tally.ts';

export const usageReader: UsageReader = {
  files: ({ scene: { transcript } }) => (transcript === undefined ? undefined : { main: transcript }),
  marks: ['"token_usage_record"', '"token_count"'],
  isCumulative: true,
  read({ type, payload }) {
    if (!isFields(payload)) return undefined;
    if (type === 'token_usage_record') return statement(payload['thread_token_usage'], payload['usage']);
    const { type: kind, info } = payload;
    if (type !== 'event_msg' || kind !== 'token_count' || !isFields(info)) return undefined;
    const { model_context_window: contextWindow } = info;
    return {
      ...statement(info['total_token_usage'], info['last_token_usage']),
      ...(isAmount(contextWindow) && { contextWindow }),
    };
  },
};

/** The last request is not added to the total, which contains it. */
function statement(whole: unknown, last: unknown) {
  const [total, counts] = [countsIn(whole), countsIn(last)];
  return { ...(counts && { counts }), ...(total && { total }) };
}
const countsIn = (value: unknown): TokenCounts | undefined =>
  isFields(value)
    ? countsOf(value['input_tokens'], value['output_tokens'], value['cached_input_tokens'])
    : undefined;
