// Looking back costs the same in a large journal: the commands that people type, on 1 GB of records against 10 MB.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHooks, defineHook } from '../../packages/anyhook/dist/index.js';
import { removeTree } from '../../packages/anyhook/dist/internals.js';
import { CLI } from '../bridge-world.mjs';
import { versus } from '../measure.mjs';
import { host } from '../open.mjs';

const root = mkdtempSync(join(tmpdir(), 'anyhook-growth-'));

/** A home with so many megabytes of real records, in files of about five. */
async function grown(megabytes) {
  const home = join(root, String(megabytes));
  mkdirSync(home, { recursive: true });
  const hooks = await createHooks({
    host,
    settings: false,
    home,
    hooks: [defineHook({ on: 'tool.before', name: 'h', run: () => undefined })],
  });
  for (let i = 0; i < 2500; i++)
    await hooks.fire({
      name: 'tool.before',
      payload: { tool: 'shell', input: { command: `echo ${'x'.repeat(1500)} ${i}` } },
      ids: { session: 's', call: `c${i}` },
    });
  await hooks.close();
  const folder = join(home, '.local/state/anyhook/journal');
  const bytes = readFileSync(join(folder, 's.jsonl'));
  for (let i = 1; i * bytes.length < megabytes * 1e6; i++) {
    const file = join(folder, `older-${i}.jsonl`);
    writeFileSync(file, bytes);
    // Each ended an hour before the next began, as sessions do.
    const endedS = Date.now() / 1000 - i * 3600;
    utimesSync(file, endedS, endedS);
  }
  return home;
}
const [small, large] = [await grown(10), await grown(1000)];
const project = join(root, 'project');
mkdirSync(project);
const command =
  (home, ...words) =>
  (times) => {
    for (let i = 0; i < times; i++) {
      const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: '1' };
      const { error } = spawnSync(process.execPath, [CLI, ...words], { cwd: project, env });
      if (error) throw error;
    }
  };
const row = async (...words) => ({
  name: `\`anyhook ${words.join(' ')}\` with 1 GB of journal`,
  against: 'with 10 MB',
  target: 2,
  ...(await versus(command(large, ...words), command(small, ...words), { times: 1, rounds: 7, warm: 1 })),
});
const first = await row('log');
const also = [await row('why', '--last'), await row('doctor')];
removeTree(root);
export default { ...first, also };
