/** A session has so many tool calls, so many minutes and, where the agent tells of them, so many tokens; then the person is asked. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ask, defineHook } from 'anyhook';

const MOST_CALLS = Number(process.env['BUDGET_CALLS'] ?? 200);
const MOST_MINUTES = Number(process.env['BUDGET_MINUTES'] ?? 60);
const MOST_TOKENS = Number(process.env['BUDGET_TOKENS'] ?? 2_000_000);

interface Spent {
  readonly calls: number;
  readonly tokens?: number;
  readonly sinceMs: number;
}
const FOLDER = join(process.env['XDG_STATE_HOME'] || join(homedir(), '.local/state'), 'anyhook-budget');

/** What the session has spent, with this added to it. */
async function spend(session: string, calls: number, tokens: number) {
  const file = join(FOLDER, `${session.replaceAll(/[^\w-]/g, '_')}.json`);
  const spent = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Spent,
    (): Spent => ({ calls: 0, sinceMs: Date.now() }),
  );
  const now = { ...spent, calls: spent.calls + calls, tokens: (spent.tokens ?? 0) + tokens };
  await mkdir(FOLDER, { recursive: true });
  await writeFile(file, JSON.stringify(now));
  return { ...now, minutes: Math.round((Date.now() - spent.sinceMs) / 60_000) };
}

export default [
  defineHook({
    on: 'tool.before',
    name: 'budget',
    onFailure: 'ask',
    async run({ ids }) {
      const { calls, minutes, tokens } = await spend(ids.session, 1, 0);
      if (calls > MOST_CALLS)
        return ask(`${calls} calls in this session; ${MOST_CALLS} were planned. Go on?`);
      if (minutes > MOST_MINUTES)
        return ask(`${minutes} minutes in this session; ${MOST_MINUTES} were planned. Go on?`);
      if (tokens > MOST_TOKENS)
        return ask(`${tokens} tokens in this session; ${MOST_TOKENS} were planned. Go on?`);
      return undefined;
    },
  }),
  defineHook({
    on: 'turn.end',
    name: 'budget: tokens',
    roles: ['observer'],
    async run({ ids, payload }) {
      const { usage } = (payload.message ?? {}) as { usage?: Record<string, unknown> };
      const told = [usage?.['input'], usage?.['output']].filter((one) => typeof one === 'number');
      if (told.length > 0)
        await spend(
          ids.session,
          0,
          told.reduce((sum, one) => sum + one, 0),
        );
    },
  }),
];
