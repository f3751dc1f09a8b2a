/** A session has so many tool calls and so many minutes; then the person is asked. */
import { ask, defineHook } from 'anyhook';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

const MOST_CALLS = Number(process.env['BUDGET_CALLS'] ?? 200);
const MOST_MINUTES = Number(process.env['BUDGET_MINUTES'] ?? 60);

interface Spent {
  readonly calls: number;
  readonly sinceMs: number;
}
const FOLDER = join(process.env['XDG_STATE_HOME'] || join(homedir(), '.local/state'), 'anyhook-budget');

export default defineHook({
  on: 'tool.before',
  name: 'budget',
  onFailure: 'ask',
  async run({ ids }) {
    const file = join(FOLDER, `${ids.session.replaceAll(/[^\w-]/g, '_')}.json`);
    const spent = await readFile(file, 'utf8').then(
      (text) => JSON.parse(text) as Spent,
      (): Spent => ({ calls: 0, sinceMs: Date.now() }),
    );
    const calls = spent.calls + 1;
    await mkdir(FOLDER, { recursive: true });
    await writeFile(file, JSON.stringify({ ...spent, calls }));
    const minutes = Math.round((Date.now() - spent.sinceMs) / 60_000);
    if (calls > MOST_CALLS) return ask(`${calls} calls in this session; ${MOST_CALLS} were planned. Go on?`);
    if (minutes > MOST_MINUTES)
      return ask(`${minutes} minutes in this session; ${MOST_MINUTES} were planned. Go on?`);
    return undefined;
  },
});
