/** Usage in Claude Code's transcript. It states one request in several lines, one for each block of the answer. */

import { basename, join } from 'node:path';
import { isFields } from '../../events/fields.ts';
import { isAmount } from '../../events/usage.ts';
import type { UsageReader } from '../shared/usage/source.ts';
import { countsBeside } from '../shared/usage/tally.ts';

export const usageReader: UsageReader = {
  files({ scene: { transcript } }, { list }) {
    if (transcript === undefined) return undefined;
    const folder = join(transcript.replace(/\.jsonl$/, ''), 'subagents');
    const subagents = list(folder).filter((name) => name.startsWith('agent-') && name.endsWith('.jsonl'));
    return { main: transcript, subagents: subagents.map((name) => join(folder, basename(name))) };
  },
  marks: ['"usage":{', '"cost-state"'],
  read({ type, message, isSidechain, totalCostUSD }) {
    // Written when a session ends, and found again when it is resumed.
    if (type === 'cost-state') return isAmount(totalCostUSD) ? { totalCostUsd: totalCostUSD } : undefined;
    if (type !== 'assistant' || !isFields(message)) return undefined;
    const { id, usage } = message;
    if (!isFields(usage)) return undefined;
    const counts = countsBeside(usage['input_tokens'], usage['output_tokens'], {
      read: usage['cache_read_input_tokens'],
      written: usage['cache_creation_input_tokens'],
    });
    if (counts === undefined) return undefined;
    return {
      counts,
      ...(typeof id === 'string' && { request: id }),
      ...(isSidechain === true && { isSubagent: true }),
    };
  },
};
