import { afterEach, describe, expect, test, vi } from 'vitest';
import { judgeCommand } from '../../../src/shell/danger/index.ts';
import { matchShell } from '../../../src/shell/matches-shell.ts';
import { figure } from '../../guards/figures.ts';
import { corpus, type Deleting, type Everyday } from '../read-corpus.ts';

const DELETING = corpus<Deleting>('matching/deleting.jsonl');
const EVERYDAY = corpus<Everyday>('matching/everyday.jsonl');
const CWD = '/home/me/project';

const dangerous = (command: string) => judgeCommand('delete', command, CWD).kind;
/** Forms that run rm literally. The others delete by other means. */
const WITH_RM = DELETING.filter(
  ({ form, kind }) => kind !== 'without' && kind !== 'program' && /rm/.test(form),
);

describe('forms that delete', () => {
  test('the corpus has at least a thousand different deleting forms', () => {
    expect([new Set(DELETING.map(({ form }) => form)).size, DELETING.length >= 1000]).toEqual([
      DELETING.length,
      true,
    ]);
  });

  test('at least 97 % of the deleting forms are refused or asked about by danger:delete', () => {
    const missed = DELETING.filter(({ form }) => dangerous(form) === 'clear').map(({ form }) => form);
    figure(
      'matching',
      'deleting forms caught by danger:delete',
      DELETING.length - missed.length,
      DELETING.length,
    );
    expect({ missed, enough: missed.length <= DELETING.length * 0.03 }).toEqual({ missed, enough: true });
  });

  test('at least 97 % of the deleting forms with rm match shell(rm -rf*)', () => {
    const missed = WITH_RM.filter(({ form }) => matchShell('rm -rf*', form).kind === 'clear').map(
      ({ form }) => form,
    );
    figure(
      'matching',
      'forms with rm caught by shell(rm -rf*)',
      WITH_RM.length - missed.length,
      WITH_RM.length,
    );
    expect({ missed, enough: missed.length <= WITH_RM.length * 0.03 }).toEqual({ missed, enough: true });
  });

  test('nine in ten deleting forms are recognized with certainty', () => {
    const certain = DELETING.filter(({ form }) => dangerous(form) === 'matches').length;
    figure('matching', 'deleting forms told for certain', certain, DELETING.length);
    expect(certain).toBeGreaterThan(DELETING.length * 0.9);
  });
});

describe('everyday commands', () => {
  test('the corpus has at least a thousand different everyday commands with their sources', () => {
    expect([
      new Set(EVERYDAY.map(({ command }) => command)).size,
      EVERYDAY.length >= 1000,
      EVERYDAY.every(({ source }) => source !== ''),
    ]).toEqual([EVERYDAY.length, true, true]);
  });

  test('at most 0.5 % of everyday commands are refused or asked about by danger:delete', () => {
    const woken = EVERYDAY.filter(({ command }) => dangerous(command) !== 'clear').map(
      ({ command }) => command,
    );
    figure('matching', 'everyday commands refused or asked by danger:delete', woken.length, EVERYDAY.length);
    expect({ woken, few: woken.length <= EVERYDAY.length * 0.005 }).toEqual({ woken, few: true });
  });

  test('at most 0.5 % of everyday commands without rm match shell(rm -rf*)', () => {
    const without = EVERYDAY.filter(({ command }) => !/\brm\b/.test(command));
    const woken = without.filter(({ command }) => matchShell('rm -rf*', command).kind !== 'clear');
    figure(
      'matching',
      'everyday commands without rm concerned by shell(rm -rf*)',
      woken.length,
      without.length,
    );
    expect({ woken, few: woken.length <= without.length * 0.005 }).toEqual({ woken, few: true });
  });
});

describe('planted faults', () => {
  afterEach(() => {
    vi.doUnmock('../../../src/shell/command-options.ts');
    vi.doUnmock('../../../src/shell/wrappers.ts');
    vi.resetModules();
  });
  const caughtWith = async (file: string, emptied: object, kind: string) => {
    vi.resetModules();
    vi.doMock(file, () => emptied);
    const { matchShell: faulty } = await import('../../../src/shell/matches-shell.ts');
    const forms = DELETING.filter((row) => row.kind === kind);
    return forms.filter(({ form }) => faulty('rm -rf*', form).kind !== 'clear').length / forms.length;
  };

  test('without the table of options most spellings are missed', async () => {
    expect(
      await caughtWith('../../../src/shell/command-options.ts', { COMMAND_OPTIONS: [] }, 'options'),
    ).toBeLessThan(0.97);
  });

  test('without the table of wrappers most wrapped forms are missed', async () => {
    expect(await caughtWith('../../../src/shell/wrappers.ts', { WRAPPERS: [] }, 'wrapper')).toBeLessThan(
      0.97,
    );
  });
});
