// What one record costs, on top of the same fire without a journal.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHooks, defineHook } from '../../packages/anyhook/dist/index.js';
import { added, rounds } from '../measure.mjs';
import { host } from '../open.mjs';

const home = mkdtempSync(join(tmpdir(), 'anyhook-bench-'));
const spec = [0, 1, 2].map((n) => defineHook({ on: 'tool.before', name: `h${n}`, run: () => undefined }));
const [without, recorded] = await Promise.all([
  createHooks({ host, settings: false, trust: { selfProtection: false }, journal: false, hooks: spec, home }),
  createHooks({ host, settings: false, trust: { selfProtection: false }, hooks: spec, home }),
]);
const event = {
  name: 'tool.before',
  payload: { tool: 'shell', input: { command: 'x'.repeat(500), description: 'lists' } },
  ids: { session: 's', call: 'c' },
};
const play = (hooks) => async (times) => {
  for (let i = 0; i < times; i++) await hooks.fire(event);
};
const list = await rounds(play(recorded), play(without), { times: 5000 });
await recorded.close();
rmSync(home, { recursive: true });
export default {
  name: 'a journal record per fire',
  against: 'the same fire without',
  unit: 'µs more',
  target: 15,
  ...added(list),
};
