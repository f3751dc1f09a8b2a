/** Tests a full disk with a small in-memory file system, where the machine allows one. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stage, transcript } from '../loop/fixtures/stage.ts';

const folder = mkdtempSync(join(tmpdir(), 'anyhook-full-'));
const isMounted =
  process.platform === 'linux' &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status === 0;
beforeAll(() => mkdirSync(join(folder, 'home'), { recursive: true }));
afterAll(() => {
  if (isMounted) execFileSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!isMounted)('a disk that is full', () => {
  test('a full disk produces a warning, the conversation continues, and entries are written once there is space', async () => {
    const ground = stage();
    const agent = await ground.open([{ text: 'one' }, { text: 'two' }, { text: 'three' }], {
      home: join(folder, 'home'),
    });
    await agent.prompt('first');
    const filler = join(folder, 'filler');
    expect(() => writeFileSync(filler, Buffer.alloc(256 * 1024))).toThrow(/ENOSPC/);
    const long = 'x'.repeat(8 * 1024); // More than the free space of the last page.
    await agent.prompt(long);
    const told = ground.seen.flatMap((one) => (one.kind === 'notice' ? [one.text] : []));
    expect(told).toEqual([expect.stringContaining('the disk is full: make room')]);
    expect(ground.seen.findLast(({ kind }) => kind === 'stopped')).toEqual({ kind: 'stopped', why: 'done' });
    expect(readFileSync(agent.session.file, 'utf8')).toMatch(/\n$/);
    rmSync(filler);
    await agent.prompt('third');
    await agent.close();
    const again = await ground.open([], { home: join(folder, 'home'), start: 'continue' });
    expect(transcript(again)).toEqual([
      'user: first',
      'assistant: one',
      `user: ${long}`,
      'assistant: two',
      'user: third',
      'assistant: three',
    ]);
    await again.close();
  });
});
