import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type AncestorMemory, ancestors } from './ancestors.ts';

test.runIf(process.platform === 'linux')(
  'cached ancestors of a process are valid until it runs another program',
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

test.runIf(process.platform === 'linux')(
  'known ancestors of a new process are not read again',
  async () => {
    const memory: AncestorMemory = new Map();
    const shell = spawn('/bin/sh', ['-c', 'read -r word; sleep 60 & echo $!; sleep 61 & echo $!; wait'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    try {
      shell.stdin.end('\n');
      let printed = '';
      for await (const chunk of shell.stdout.setEncoding('utf8')) {
        printed += chunk as string;
        if (printed.split('\n').length === 3) break;
      }
      const [one, other] = printed.trim().split('\n').map(Number);
      const [first, second] = [ancestors(one, memory), ancestors(other, memory)];
      expect(first.length).toBeGreaterThan(1);
      expect(second.slice(1).every((ancestor, nth) => ancestor === first[nth + 1])).toBe(true);
      expect([second.length, second[1]?.argv[0]]).toEqual([first.length, '/bin/sh']);
      expect(ancestors(other)).toEqual(second);
    } finally {
      process.kill(-shell.pid!, 'SIGKILL');
    }
  },
  60_000,
);

const nameOf = (pid: number): string => readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
