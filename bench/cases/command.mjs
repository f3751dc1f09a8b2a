// One command hook, 1 KB of JSON on stdin, against a bare spawn of the same shell line.

import { spawn } from 'node:child_process';
import { openCommandRunner } from '../../packages/anyhook/dist/internals.js';
import { versus } from '../measure.mjs';

const LINE = 'cat >/dev/null; echo done';
const stdin = JSON.stringify({ text: 'x'.repeat(1000) });
const runner = openCommandRunner();
const way = { kind: 'command', run: { line: LINE }, env: 'inherit' };
const never = new AbortController().signal;
const bare = () =>
  new Promise((resolve) => {
    const child = spawn('sh', ['-c', LINE], { stdio: ['pipe', 'pipe', 'pipe'] });
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    child.on('close', (code) => resolve({ code, out }));
    child.stdin.end(stdin);
  });
const result = await versus(
  async (times) => {
    for (let i = 0; i < times; i++)
      await runner.run(way, { kind: 'command', cwd: '/', stdin }, { timeoutMs: 10_000, signal: never });
  },
  async (times) => {
    for (let i = 0; i < times; i++) await bare();
  },
  { times: 40, rounds: 11 },
);
await runner.close();
export default { name: 'one command hook', against: "bare `spawn('sh', '-c')`", target: 1.15, ...result };
