import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { Dialect } from '../../canon/dialect.ts';
import { claudeCode } from '../../dialects/claude-code/index.ts';
import { handOnVariables } from './hand-on-variables.ts';

const folder = mkdtempSync(join(tmpdir(), 'anyhook-variables-'));
const file = join(folder, 'env');
afterEach(() => delete process.env['CLAUDE_ENV_FILE']);
afterAll(() => rmSync(folder, { recursive: true }));

const handOn = (exported: Record<string, string>) =>
  handOnVariables({ kind: 'exited', code: 0, stdout: '', stderr: '', exported }, claudeCode as Dialect);

test('what a shell can be given is written for it, and what it cannot is named', () => {
  process.env['CLAUDE_ENV_FILE'] = file;
  expect(handOn({ A: "it's", 'B C': 'x', D: 'a\0b' })).toEqual([
    'no shell can be given the variables B C, D: they are lost',
  ]);
  expect(readFileSync(file, 'utf8')).toBe("export A='it'\\''s'\n");
});

test('an agent that names no file is told of, and so is a file that cannot be written', () => {
  expect(handOn({ A: '1' })).toEqual([
    'variables for later commands are lost: the agent names no file in CLAUDE_ENV_FILE',
  ]);
  process.env['CLAUDE_ENV_FILE'] = join(folder, 'none/env');
  expect(handOn({ A: '1' })).toEqual([
    expect.stringMatching(/^variables for later commands are lost: ENOENT/),
  ]);
});
