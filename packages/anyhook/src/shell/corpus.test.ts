import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { BASES, SPELLINGS } from './fixtures/attacks.ts';
import { BENIGN } from './fixtures/benign.ts';
import { hasBash } from './fixtures/has-bash.ts';
import { judgeShell } from './judge-shell.ts';
import { matchesShell } from './matches-shell.ts';

const CORPUS = [...new Set(BASES.flatMap((base) => SPELLINGS.map((spelling) => base.hide(spelling))))];
const shown = (list: readonly string[]) => list.map((text) => text.slice(0, 300));

describe('the corpus of commands that run rm', () => {
  test('has at least 74 bases and 600 strings', () => {
    expect([BASES.length >= 74, CORPUS.length >= 600]).toEqual([true, true]);
  });

  test.each(['rm *', 'rm:*', 'rm -rf *'])('a hook with the filter Bash(%s) runs for every string', (glob) => {
    expect(shown(CORPUS.filter((text) => !matchesShell(glob, text)))).toEqual([]);
  });

  test('a rule that denies rm denies every string', () => {
    expect(shown(CORPUS.filter((text) => judgeShell({ deny: ['rm *'] }, text) !== 'deny'))).toEqual([]);
  });

  test('a rule that allows everything except rm allows none of them', () => {
    const allow = ['[!r/]*', '/usr/bin/*'];
    expect(shown(CORPUS.filter((text) => judgeShell({ allow }, text) === 'allow'))).toEqual([]);
  });

  test('naive checks on the text miss many of them', () => {
    const naive = {
      startsWith: CORPUS.filter((text) => !text.startsWith('rm ')).length,
      splitAtOperators: CORPUS.filter(
        (text) => !text.split(/&&|\|\||[;|\n]/).some((part) => part.trim().startsWith('rm ')),
      ).length,
      includes: CORPUS.filter((text) => !text.includes('rm -rf')).length,
    };
    expect(Object.values(naive).every((missed) => missed > CORPUS.length / 3)).toBe(true);
  });
});

describe.skipIf(!hasBash).concurrent('the corpus is real', () => {
  const run = promisify(execFile);
  const removesVictim = async (text: string): Promise<boolean> => {
    const folder = mkdtempSync(join(tmpdir(), 'anyhook-corpus-'));
    try {
      mkdirSync(join(folder, 'victim'));
      writeFileSync(join(folder, 'rm'), '');
      const child = run('bash', ['--norc', '-c', text], {
        cwd: folder,
        timeout: 20_000,
        env: { PATH: process.env['PATH'] },
      });
      child.child.stdin?.end();
      await child.catch(() => undefined);
      return !existsSync(join(folder, 'victim'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  test.each(SPELLINGS)('bash runs rm for %j', async (spelling) => {
    expect(await removesVictim(spelling)).toBe(true);
  });

  test.each(
    BASES.filter((base) => base.runs).map(
      (base) => [base.hide('rm -rf ./victim').slice(0, 200), base] as const,
    ),
  )('bash runs rm for %j', async (_, base) => {
    expect(await removesVictim(base.hide('rm -rf ./victim'))).toBe(true);
  });
});

describe('the benign commands', () => {
  test('are at least 300, all different', () => {
    expect([new Set(BENIGN).size, BENIGN.length >= 300]).toEqual([BENIGN.length, true]);
  });

  test('a hook with the filter Bash(git push*) runs for at most 1 % of them', () => {
    const woken = BENIGN.filter((text) => matchesShell('git push*', text));
    expect({ woken, tooMany: woken.length > BENIGN.length / 100 }).toEqual({ woken, tooMany: false });
  });

  test('the hook runs for each of them if git push is added', () => {
    expect(BENIGN.filter((text) => !matchesShell('git push*', `${text}\ngit push origin main`))).toEqual([]);
  });
});
