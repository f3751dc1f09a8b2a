import { describe, expect, test } from 'vitest';
import { DANGER_NAMES, judgeCommand, judgeFile } from '../../../src/shell/danger/index.ts';
import { figure } from '../../guards/figures.ts';
import { corpus, type Dangerous, type Everyday } from '../read-corpus.ts';

const CWD = '/home/me/project';

describe.each(DANGER_NAMES)('danger:%s', (name) => {
  const rows = corpus<Dangerous>(`danger/${name}.jsonl`);

  test('a danger preset refuses dangerous commands with a reason and an alternative', () => {
    const dangerous = rows.filter((row) => row.dangerous);
    const passed = dangerous.filter(({ command }) => judgeCommand(name, command, CWD).kind !== 'matches');
    figure(
      'danger',
      `${name}: dangerous commands refused`,
      dangerous.length - passed.length,
      dangerous.length,
    );
    expect(passed).toEqual([]);
    const told = judgeCommand(name, dangerous[0]?.command ?? '', CWD);
    expect(told).toMatchObject({ why: expect.stringMatching(/^it /), instead: expect.stringMatching(/\.$/) });
  });

  test('a danger preset allows commands that only look dangerous', () => {
    const harmless = rows.filter((row) => !row.dangerous);
    const refused = harmless.filter(({ command }) => judgeCommand(name, command, CWD).kind !== 'clear');
    figure('danger', `${name}: harmless look-alikes refused or asked`, refused.length, harmless.length);
    expect(refused).toEqual([]);
  });
});

describe('deletions by editors, interpreters and other shells, and of local history', () => {
  const rows = corpus<Dangerous>('danger/other-ways.jsonl');
  const judged = (isDangerous: boolean) =>
    rows
      .filter(({ dangerous }) => dangerous === isDangerous)
      .map(({ command }) => ({ command, kind: judgeCommand('delete', command, CWD).kind }));

  test('danger:delete refuses or asks about deletions by editors, interpreters, shells and of local history', () => {
    const all = judged(true);
    const passed = all.filter(({ kind }) => kind === 'clear');
    figure('danger', 'deletions in other ways refused or asked', all.length - passed.length, all.length);
    expect(passed).toEqual([]);
  });

  test('danger:delete allows harmless commands that look like deletions', () => {
    expect(judged(false).filter(({ kind }) => kind !== 'clear')).toEqual([]);
  });
});

test('all presets together refuse at most 2 % of everyday commands', () => {
  const everyday = corpus<Everyday>('matching/everyday.jsonl');
  const refused = everyday.filter(({ command }) =>
    DANGER_NAMES.some((name) => judgeCommand(name, command, CWD).kind === 'matches'),
  );
  figure('danger', 'everyday commands refused by any preset', refused.length, everyday.length);
  expect(refused.length).toBeLessThanOrEqual(everyday.length * 0.02);
});

test('the secrets preset also covers the tool that reads files', () => {
  expect(
    ['.env', '/home/me/.ssh/id_ed25519', '.env.example', 'src/env.ts', '/home/me/.ssh/id_ed25519.pub'].map(
      (path) => judgeFile('secrets', 'read', path).kind,
    ),
  ).toEqual(['matches', 'matches', 'clear', 'clear', 'clear']);
});
