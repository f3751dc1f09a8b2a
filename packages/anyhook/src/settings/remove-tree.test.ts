import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeTree } from './remove-tree.ts';

test('a folder that somebody else is still writing into goes, with what came while it went', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'anyhook-remove-'));
  const writer = spawn('sh', ['-c', 'for i in $(seq 2000); do echo x > "$0/$i"; echo; done', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(writer.stdout, 'data');
  const ended = once(writer, 'exit');
  writer.stdout.resume();
  removeTree(folder);
  await ended;
  expect(existsSync(folder)).toBe(false);
});

test('what cannot be removed is said in the end', () => {
  expect(() => removeTree('/proc/self/task', 50)).toThrow();
});
