/** Usage in the messages of OpenCode's bus. A message is reported several times while its request runs. */

import { isFields } from '../../events/fields.ts';
import { isAmount, type Usage } from '../../events/usage.ts';
import { addStatement, countsBeside, EMPTY_TALLY, type UsageTally } from '../shared/usage/tally.ts';

const MOST_SESSIONS = 1000;

export class BusUsage {
  readonly #tallies = new Map<string, UsageTally>();

  /** Takes a message of the bus. Others are ignored. */
  take(said: Readonly<Record<string, unknown>>): void {
    const { type, properties } = said;
    if (type !== 'message.updated' || !isFields(properties) || !isFields(properties['info'])) return;
    const { id, role, sessionID, tokens, cost } = properties['info'];
    if (role !== 'assistant' || typeof sessionID !== 'string' || typeof id !== 'string') return;
    if (!isFields(tokens)) return;
    const { input, output, reasoning, cache } = tokens;
    const { read, write: written } = isFields(cache) ? cache : {};
    const outputTokens = isAmount(output) ? output + (isAmount(reasoning) ? reasoning : 0) : output;
    const counts = countsBeside(input, outputTokens, { read, written });
    // Zero until the request has ended.
    if (counts === undefined || counts.inputTokens + counts.outputTokens === 0) return;
    const statement = { request: id, counts, ...(isAmount(cost) && { costUsd: cost }) };
    this.#tallies.set(sessionID, addStatement(this.#tallies.get(sessionID) ?? EMPTY_TALLY, statement));
    const [oldest] = this.#tallies.keys();
    if (this.#tallies.size > MOST_SESSIONS && oldest !== undefined) this.#tallies.delete(oldest);
  }

  of(session: string): Usage {
    const { recent: _, ...usage } = this.#tallies.get(session) ?? EMPTY_TALLY;
    return usage;
  }
}
