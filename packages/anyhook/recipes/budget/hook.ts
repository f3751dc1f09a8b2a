/** A session has so many tool calls, so many minutes and, where the agent reveals them, so many tokens and dollars; then the user is asked. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ask, defineHook } from 'anyhook';

const MOST_CALLS = Number(process.env['BUDGET_CALLS'] ?? 200);
const MOST_MINUTES = Number(process.env['BUDGET_MINUTES'] ?? 60);
const MOST_TOKENS = Number(process.env['BUDGET_TOKENS'] ?? 2_000_000);
const MOST_DOLLARS = Number(process.env['BUDGET_DOLLARS'] ?? 5);

interface Spent {
  readonly calls: number;
  readonly sinceMs: number;
}
const FOLDER = join(process.env['XDG_STATE_HOME'] || join(homedir(), '.local/state'), 'anyhook-budget');

/** Counts one more call of the session. */
async function countCall(session: string): Promise<Spent> {
  const file = join(FOLDER, `${session.replaceAll(/[^\w-]/g, '_')}.json`);
  const { calls, sinceMs } = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Spent,
    (): Spent => ({ calls: 0, sinceMs: Date.now() }),
  );
  const spent = { calls: calls + 1, sinceMs };
  await mkdir(FOLDER, { recursive: true });
  await writeFile(file, JSON.stringify(spent));
  return spent;
}

export default defineHook({
  on: 'tool.before',
  name: 'budget',
  onFailure: 'ask',
  async run({ ids, usage }) {
    const { calls, sinceMs } = await countCall(ids.session);
    const minutes = Math.round((Date.now() - sinceMs) / 60_000);
    const { inputTokens = 0, outputTokens = 0, costUsd = 0 } = usage?.session ?? {};
    const tokens = inputTokens + outputTokens;
    const over = [
      calls > MOST_CALLS && `${calls} calls in this session; ${MOST_CALLS} were planned.`,
      minutes > MOST_MINUTES && `${minutes} minutes in this session; ${MOST_MINUTES} were planned.`,
      tokens > MOST_TOKENS && `${tokens} tokens in this session; ${MOST_TOKENS} were planned.`,
      costUsd > MOST_DOLLARS && `$${costUsd.toFixed(2)} in this session; $${MOST_DOLLARS} were planned.`,
    ].find(Boolean);
    return over ? ask(`${over} Go on?`) : undefined;
  },
});
