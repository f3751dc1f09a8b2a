import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeTree } from './remove-tree.ts';

test('removes a folder while another process is writing into it', async () => {
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

test('throws in the end if something cannot be removed', () => {
  expect(() => removeTree('/proc/self/task', 50)).toThrow();
});
