import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { cover, projectWith, scratch } from './fixtures/scratch.ts';
import { recordOf } from './record.ts';
import { openTrustStore } from './store.ts';

const run = promisify(execFile);

test('four processes that add the same hash at once leave one complete record', async () => {
  const folder = join(scratch(), 'trust');
  const r = recordOf(cover(projectWith({ 'g.sh*': 'echo 1\n' }), './g.sh'), new Date());
  const code = `import { createJiti } from ${JSON.stringify(import.meta.resolve('jiti'))};
    const [, folder, record] = process.argv;
    const { openTrustStore } = await createJiti(process.cwd()).import(${JSON.stringify(join(import.meta.dirname, 'store.ts'))});
    process.stdout.write(openTrustStore(folder).add(JSON.parse(record)).kind);`;
  const one = () => run(process.execPath, ['--input-type=module', '-e', code, folder, JSON.stringify(r)]);
  const done = await Promise.all([one(), one(), one(), one()]);
  expect(done.every(({ stdout }) => stdout === 'added' || stdout === 'already')).toBe(true);
  expect([readdirSync(folder), openTrustStore(folder).has(r.key)]).toEqual([
    [`${r.key.slice('sha256:'.length)}.json`],
    true,
  ]);
}, 120_000);
