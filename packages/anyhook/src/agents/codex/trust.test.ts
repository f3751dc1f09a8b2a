import { expect, test } from 'vitest';
import type { EntryPlace } from '../shared/hook-trust.ts';
import { codexTrust, codexHookHash } from './trust.ts';

/** Recorded from `hooks/list`: the first three with Codex 0.166.0, all but the third with 0.169.0. */
const RECORDED = [
  [
    'PreToolUse',
    { command: 'pwd' },
    'sha256:c5fcf6c779d4dc213dfd72d0ed8e9e1d80768eef6a6a01157d49e2229562cb80',
  ],
  [
    'SessionEnd',
    { command: 'pwd', timeout: 3 },
    'sha256:12bba17cbdb359139ad6436e40746cc8aeba7c870c0ae8328f8cc8b1d187dcdf',
  ],
  [
    'UserPromptSubmit',
    { command: 'echo é "q" \\ <&>', timeout: 600 },
    'sha256:cdc48bc71607b34ef7c3786bdb20fbb8434462f83f4f19427c7ba74078e21c02',
  ],
  [
    'PreToolUse',
    { command: 'pwd', statusMessage: 'anyhook: checking hooks' },
    'sha256:efe2e4e2555a6c35cd08aa1d08281f0f2e2d093aed103016f9290c5679200302',
  ],
  [
    'Stop',
    { command: 'pwd', timeout: 5, statusMessage: 'é "q" <&>' },
    'sha256:9d5d560dd724fe1aac700577acfedee4a56a5ae3679077f5287e713f64cb7659',
  ],
] as const;

test.each(RECORDED)('the hash of an entry for %s is the one that Codex computes', (word, handler, hash) => {
  expect(codexHookHash({ word, handler })).toBe(hash);
});

const entry = (word: string, group = 0): EntryPlace => ({ word, group, at: 0, handler: { command: 'pwd' } });
const where = { scope: 'user', home: '/home/me', cwd: '/project', env: {} } as const;
const path = '/home/me/.codex/hooks.json';
const noted = (key: string, state: string): string => `[hooks.state."${path}:${key}"]\n${state}\n`;

test('an entry is skipped until its hash is stored for its location, and again after a change', () => {
  const hash = codexHookHash(entry('PreToolUse'));
  const skipped = (notes: string, ...entries: EntryPlace[]) =>
    codexTrust.skipped({ where, path, entries }, notes);
  const trusted = noted('pre_tool_use:0:0', `trusted_hash = "${hash}"`);
  expect([
    skipped('', entry('PreToolUse')),
    skipped(trusted, entry('PreToolUse')),
    skipped(trusted, entry('PreToolUse', 1)),
    skipped(noted('pre_tool_use:0:0', 'trusted_hash = "sha256:0"'), entry('PreToolUse')),
    skipped(`${trusted}enabled = false`, entry('PreToolUse')),
    skipped('no = toml = at all', entry('Stop')),
  ]).toEqual([
    [{ word: 'PreToolUse', why: 'Codex has never trusted it' }],
    [],
    [{ word: 'PreToolUse', why: 'Codex has never trusted it' }],
    [{ word: 'PreToolUse', why: 'it has changed since it was trusted' }],
    [{ word: 'PreToolUse', why: 'it is switched off', isOff: true }],
    [{ word: 'Stop', why: 'Codex has never trusted it' }],
  ]);
});

test('no entry of a project that Codex does not trust runs', () => {
  const inProject = { where: { ...where, scope: 'project' } as const, path: '/project/.codex/hooks.json' };
  const skipped = (notes: string) => codexTrust.skipped({ ...inProject, entries: [entry('Stop')] }, notes);
  const hash = codexHookHash(entry('Stop'));
  const state = `[hooks.state."/project/.codex/hooks.json:stop:0:0"]\ntrusted_hash = "${hash}"\n`;
  expect([skipped(state), skipped(`${state}[projects."/project"]\ntrust_level = "trusted"\n`)]).toEqual([
    [{ word: 'Stop', why: 'the project is not trusted' }],
    [],
  ]);
});
