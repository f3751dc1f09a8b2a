import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentSetup } from './bridge.ts';
import { bridgedBy, closedLine, fireCommand } from './command-line.ts';

const DEADLINE_MS = 590_000;
let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "it's a folder "))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A bin that does this instead of judging. */
function setupWith(script: string | undefined): AgentSetup {
  const bin = join(folder, 'bin.sh');
  writeFileSync(bin, script ?? '');
  chmodSync(bin, 0o755);
  return { node: '/bin/sh', bin, moduleUrl: '', failure: 'closed', agent: 'codex', dialect: 'codex' };
}
const run = (line: string, shell = '/bin/sh') => {
  const { status, stdout, stderr } = spawnSync(shell, ['-c', line], { input: '{}', encoding: 'utf8' });
  return { status, stdout, stderr };
};

describe('the wrapped line', () => {
  test.each([
    ['a quiet pass', 'exit 0', { status: 0, stdout: '', stderr: '' }],
    ['an answer', 'echo "{}"', { status: 0, stdout: '{}\n', stderr: '' }],
    ['a refusal', 'echo no >&2; exit 2', { status: 2, stdout: '', stderr: 'no\n' }],
  ])('%s goes through as it is', (_, script, expected) => {
    expect(run(closedLine(setupWith(script), DEADLINE_MS))).toEqual(expected);
  });

  test.each([
    ['a crash', 'exit 70', 70],
    ['exit 1', 'exit 1', 1],
    ['a kill', 'kill -9 $$', 137],
  ])('%s refuses with a reason', (_, script, code) => {
    const { status, stderr } = run(closedLine(setupWith(script), DEADLINE_MS));
    expect([status, stderr.split('\n').find((line) => line.startsWith('anyhook'))]).toEqual([
      2,
      `anyhook could not judge this call (exit ${code}), so it is refused. See: anyhook doctor`,
    ]);
  });

  test('a Node that is gone refuses, and so does a bin that is gone', () => {
    const gone = { ...setupWith('exit 0'), node: '/no/such/node' };
    expect(run(closedLine(gone, DEADLINE_MS)).status).toBe(2);
    const empty = { ...setupWith('exit 0'), node: process.execPath, bin: '/no/such/bin.js' };
    expect(run(closedLine(empty, DEADLINE_MS)).status).toBe(2);
    // The negative control: the plain line is what every agent takes for consent.
    expect([run(fireCommand(gone, DEADLINE_MS)).status, run(fireCommand(empty, DEADLINE_MS)).status]).toEqual(
      [127, 1],
    );
  });
});

test('our line is known again, wrapped or not, and nobody else’s is', () => {
  const setup = setupWith('');
  expect([
    bridgedBy(fireCommand(setup, DEADLINE_MS)),
    bridgedBy(closedLine(setup, DEADLINE_MS)),
    bridgedBy('anyhook fire --as codex'),
    bridgedBy('echo fire --as'),
  ]).toEqual(['codex', 'codex', undefined, undefined]);
});
