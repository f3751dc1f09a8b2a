/** Usage in Kimi Code's wire files: one for the main agent, and one for each subagent. */

import { join } from 'node:path';
import { isFields } from '../../events/fields.ts';
import { isAmount } from '../../events/usage.ts';
import { isPlainName, type UsageReader } from '../shared/usage/source.ts';
import { countsBeside } from '../shared/usage/tally.ts';

export const usageReader: UsageReader = {
  files({ ids: { session } }, where) {
    if (!isPlainName(session)) return undefined;
    const sessions = join(where.home, '.kimi-code', 'sessions');
    const workspace = where.list(sessions).find((name) => where.list(join(sessions, name)).includes(session));
    if (workspace === undefined) return undefined;
    const agents = join(sessions, workspace, session, 'agents');
    const subagents = where.list(agents).filter((name) => name !== 'main' && isPlainName(name));
    return {
      main: join(agents, 'main', 'wire.jsonl'),
      subagents: subagents.map((name) => join(agents, name, 'wire.jsonl')),
    };
  },
  marks: ['"usage.record"', '"token_counting.measured"'],
  read({ type, usage, tokens }) {
    if (type === 'token_counting.measured') return isAmount(tokens) ? { contextTokens: tokens } : undefined;
    if (type !== 'usage.record' || !isFields(usage)) return undefined;
    const counts = countsBeside(usage['inputOther'], usage['output'], {
      read: usage['inputCacheRead'],
      written: usage['inputCacheCreation'],
    });
    return counts && { counts };
  },
};
