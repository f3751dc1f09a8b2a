import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { claudeCode } from '../agents/claude-code/dialect/index.ts';
import type { Dialect } from '../events/dialect.ts';
import { handOnVariables } from './answer.ts';

const folder = mkdtempSync(join(tmpdir(), 'anyhook-variables-'));
const file = join(folder, 'env');
afterAll(() => rmSync(folder, { recursive: true }));

const handOn = (exported: Record<string, string>, env: Record<string, string>) =>
  handOnVariables({ kind: 'exited', code: 0, stdout: '', stderr: '', exported }, claudeCode as Dialect, env);

test('variables that a shell can take are written, and the others are named', () => {
  expect(handOn({ A: "it's", 'B C': 'x', D: 'a\0b' }, { CLAUDE_ENV_FILE: file })).toEqual([
    'no shell can be given the variables B C, D: they are lost',
  ]);
  expect(readFileSync(file, 'utf8')).toBe("export A='it'\\''s'\n");
});

test('an agent that names no file is reported, and so is a file that cannot be written', () => {
  expect(handOn({ A: '1' }, {})).toEqual([
    'variables for later commands are lost: the agent names no file in CLAUDE_ENV_FILE',
  ]);
  expect(handOn({ A: '1' }, { CLAUDE_ENV_FILE: join(folder, 'none/env') })).toEqual([
    expect.stringMatching(/^variables for later commands are lost: ENOENT/),
  ]);
});
