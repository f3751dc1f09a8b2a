/** Compares the output of `npm run fleet:demo`. */

import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { hasServer } from '../../src/demo/nats-server.ts';

const DEMO = join(import.meta.dirname, '../../dist/demo.js');

test.skipIf(!hasServer)(
  'the fleet demo shows a policy, refusals, a trial and verification, and leaves no files behind',
  async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'demo-')));
    try {
      const env = { PATH: process.env['PATH'], HOME: root, TMPDIR: root };
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [DEMO], { env });
      expect(stderr).toBe('');
      for (const line of [
        /^  version 1, 2 hooks \(history-stays, who-publishes\)$/m,
        /^  laptop-1: version 1 is in force$/m,
        /^  ann@laptop-1\n.*deny   tool\.before  Bash git push --force/m,
        /^  bob@laptop-2\n.*deny   tool\.before  shell git reset --hard/m,
        /^  hooks\.json#who-publishes .*\n    would have refused 2 of 2, .*\n    in 2 sessions, 2 users, 2 machines$/m,
        /^  As it was written: sessions 3, records 9, messages 6\.$/m,
      ])
        expect(stdout).toMatch(line);
      expect(readdirSync(root)).toEqual([]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
);
