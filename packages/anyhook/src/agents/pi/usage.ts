/** Usage in the session entries of pi and oh-my-pi, with costs by the agent's own prices. */

import type { Fields } from '../../events/effects.ts';
import { isFields } from '../../events/fields.ts';
import { isAmount, type Usage } from '../../events/usage.ts';
import type { UsageStatement } from '../shared/usage/source.ts';
import { addStatement, countsBeside, EMPTY_TALLY, type UsageTally } from '../shared/usage/tally.ts';

function statementIn({ type, id, message }: Fields): UsageStatement | undefined {
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
}

/** Adds up the entries of the current session. Each entry is read once. */
export class EntryUsage {
  #session: string | undefined;
  #read = 0;
  #tally: UsageTally = EMPTY_TALLY;

  of(session: string | undefined, entries: readonly unknown[]): Usage {
    if (session !== this.#session || entries.length < this.#read)
      [this.#session, this.#read, this.#tally] = [session, 0, EMPTY_TALLY];
    for (const entry of entries.slice(this.#read)) {
      const statement = isFields(entry) ? statementIn(entry) : undefined;
      if (statement !== undefined) this.#tally = addStatement(this.#tally, statement);
    }
    this.#read = entries.length;
    const { recent: _, ...usage } = this.#tally;
    return usage;
  }
}
