// What a fire costs does not grow: not with the sessions that a host has seen, not with its journal, not with hooks that
// listen to something else.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHooks, defineHook } from '../../packages/anyhook/dist/index.js';
import { removeTree } from '../../packages/anyhook/dist/internals.js';
import { versus } from '../measure.mjs';
import { host, quiet } from '../open.mjs';

const root = mkdtempSync(join(tmpdir(), 'anyhook-flat-'));
const one = () => defineHook({ on: 'tool.before', name: 'h', run: () => undefined });
const event = (session) => ({
  name: 'tool.before',
  payload: { tool: 'shell', input: { command: 'ls' } },
  ids: { session },
});
const journalled = (name) => {
  const home = join(root, name);
  mkdirSync(home, { recursive: true });
  return createHooks({ host, settings: false, home, hooks: [one()] });
};
const firing = (hooks, session) => async (times) => {
  for (let i = 0; i < times; i++) await hooks.fire(event(session));
};
const ROUNDS = { times: 500, rounds: 9 };

const [many, few] = [await journalled('many'), await journalled('few')];
for (let i = 0; i < 1000; i++) await many.fire(event(`s${i}`));
const sessions = await versus(firing(many, 'mine'), firing(few, 'mine'), ROUNDS);
await Promise.all([many.close(), few.close()]);

/** A session's own file of about ten megabytes, beside a thousand of others. */
async function grown() {
  const hooks = await journalled('grown');
  await firing(hooks, 'mine')(2000);
  await hooks.close();
  const folder = join(root, 'grown/.local/state/anyhook/journal');
  const [file] = readdirSync(folder);
  const bytes = readFileSync(join(folder, file));
  for (let i = 0; i < 1000; i++) writeFileSync(join(folder, `older-${i}.jsonl`), bytes.subarray(0, 10_000));
  const again = await journalled('grown');
  const wanted = 10e6 / (bytes.length / 2000);
  await firing(again, 'mine')(Math.ceil(wanted));
  return again;
}
const [large, small] = [await grown(), await journalled('small')];
const journal = await versus(firing(large, 'mine'), firing(small, 'mine'), ROUNDS);
await Promise.all([large.close(), small.close()]);

const others = (count) =>
  Array.from({ length: count }, (_, n) =>
    defineHook({ on: 'tool.after', name: `o${n}`, run: () => undefined }),
  );
const [crowded, alone] = [
  await createHooks({ ...quiet, hooks: [one(), ...others(10_000)] }),
  await createHooks({ ...quiet, hooks: [one()] }),
];
const elsewhere = await versus(firing(crowded, 's'), firing(alone, 's'), { times: 50_000, rounds: 9 });
removeTree(root);

const FLAT = 1.2;
export default {
  name: 'growth: a fire, recorded, in a host that has seen 1,000 sessions',
  against: 'in one that has seen none',
  target: FLAT,
  ...sessions,
  also: [
    {
      name: 'growth: a fire, recorded, in a session with 10 MB of journal, beside 1,000 others',
      against: 'in a new one',
      target: FLAT,
      ...journal,
    },
    {
      name: 'growth: a fire where 10,000 hooks listen to another event',
      against: 'where none does',
      target: FLAT,
      ...elsewhere,
    },
  ],
};
