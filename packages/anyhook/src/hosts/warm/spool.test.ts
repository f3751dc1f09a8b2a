import { mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeTree } from '../../settings/remove-tree.ts';
import { sweepSpool } from './spool.ts';

test('what a client has heard goes with the client; what one has kept stays for an hour', () => {
  const spool = mkdtempSync(join(tmpdir(), 'anyhook-spool-'));
  const { pid: ended } = spawnSync('true');
  const names = [`${process.pid}.heard`, `${ended}.heard`, `${ended}`, `${ended}.taken`, `${ended}.cold`];
  for (const name of names) writeFileSync(join(spool, name), '');
  const hoursAgo = new Date(Date.now() - 2 * 60 * 60_000);
  utimesSync(join(spool, `${ended}.cold`), hoursAgo, hoursAgo);
  sweepSpool(spool);
  expect(readdirSync(spool).toSorted()).toEqual(
    [`${process.pid}.heard`, `${ended}`, `${ended}.taken`].toSorted(),
  );
  removeTree(spool);
});
