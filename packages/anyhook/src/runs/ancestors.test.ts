import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type AncestorMemory, ancestors } from './ancestors.ts';

test.runIf(process.platform === 'linux')(
  'what is remembered of a process counts until another program runs in it',
  async () => {
    const memory: AncestorMemory = new Map();
    const child = spawn(
      '/bin/sh',
      ['-c', 'echo there; read -r word; exec /usr/bin/env -i MARK=second sleep 60'],
      {
        env: { MARK: 'first' },
        stdio: ['pipe', 'pipe', 'ignore'],
      },
    );
    try {
      await once(child.stdout, 'data');
      const seen = () => ancestors(child.pid, memory)[0];
      const first = seen();
      expect(first?.env['MARK']).toBe('first');
      expect(seen()).toBe(first); // not read again
      expect(ancestors(child.pid)[0]).toEqual(first);

      child.stdin.end('\n');
      for (let i = 0; i < 300 && nameOf(child.pid!) !== 'sleep'; i++)
        await new Promise((resolve) => setTimeout(resolve, 100));
      expect([seen()?.argv, seen()?.env]).toEqual([['sleep', '60'], { MARK: 'second' }]);
    } finally {
      child.kill('SIGKILL');
    }
  },
  60_000,
);

const nameOf = (pid: number): string => readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
