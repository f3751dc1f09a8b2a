/** `anyhook suggest` as a user runs it, and as an agent must not. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, createHooks, defineHook } from '../src/index.ts';
import { EVERYTHING } from '../src/testing/index.ts';

const CLI = fileURLToPath(new URL('../dist/bin/anyhook.cjs', import.meta.url));
const home = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-suggest-command-')));
const project = join(home, 'project');
const file = join(home, '.config/anyhook/hooks.json');
const OWN = '{\n  // mine\n  "hooks": {}\n}\n';
afterAll(() => rmSync(home, { recursive: true, force: true }));

beforeAll(async () => {
  for (const folder of [project, join(home, '.config/anyhook')]) mkdirSync(folder, { recursive: true });
  writeFileSync(file, OWN);
  const hooks = await createHooks({
    host: { name: 'codex', can: EVERYTHING },
    home,
    cwd: project,
    hooks: [
      defineHook({ on: 'tool.before', run: () => ask('sure?') }),
      defineHook({ on: 'tool.after', run() {} }),
    ],
  });
  for (let call = 0; call < 3; call++) {
    const ids = { session: 's', call: `c${call}` };
    const payload = { tool: 'shell', input: { command: 'npm test' } };
    await hooks.fire({ name: 'tool.before', payload, ids });
    await hooks.fire({ name: 'tool.after', payload: { ...payload, content: [] }, ids });
  }
  await hooks.close();
});

function suggest(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'suggest', ...args], {
    cwd: project,
    encoding: 'utf8',
    input: '',
    env: { PATH: process.env['PATH'], HOME: home },
  });
  return { status, stdout, stderr };
}

describe('anyhook suggest', () => {
  test('prints evidence and a diff, and writes nothing', () => {
    const { status, stdout, stderr } = suggest();
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('npm test');
    expect(stdout).toContain('3 recorded questions would not be asked');
    expect(stdout).toContain(`+++ ${file}`);
    expect(stdout).toContain('Nothing was written');
    expect(readFileSync(file, 'utf8')).toBe(OWN);
  });

  test('prints JSON', () => {
    const { status, stdout } = suggest('--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      commands: 3,
      proposals: [
        {
          proposal: {
            kind: 'allow',
            entry: { command: 'npm test', project },
            evidence: { count: 3, sessions: 1 },
          },
          change: { unasked: 3 },
        },
      ],
      asked: [],
      file,
      isWritten: false,
    });
  });

  test('says so if there is nothing to propose', () => {
    expect(suggest('--min', '4')).toEqual({
      status: 0,
      stdout: 'Nothing to propose from 3 recorded shell commands.\n',
      stderr: '',
    });
  });

  test('does not write without a user in a terminal', () => {
    const { status, stderr } = suggest('--write');
    expect(status).toBe(2);
    expect(stderr).toContain('interactive terminal');
    expect(readFileSync(file, 'utf8')).toBe(OWN);
  });

  test.each(['0', 'x', '1.5', '-1'])('rejects --min %s', (count) => {
    const { status, stderr } = suggest('--min', count);
    expect(status).toBe(2);
    expect(stderr).toContain('--min');
  });

  test('reports a hooks.json that cannot be parsed', () => {
    writeFileSync(file, '{ "hooks": ');
    const { status, stderr } = suggest();
    writeFileSync(file, OWN);
    expect(status).toBe(2);
    expect(stderr).toContain('hooks.json');
  });
});
