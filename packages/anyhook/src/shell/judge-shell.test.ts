import { describe, expect, test } from 'vitest';
import { judgeShell, type ShellRule } from './judge-shell.ts';

const GIT: ShellRule = { allow: ['git *', 'ls', 'ls *', 'cat ??'], deny: ['git push:*'] };

describe('judgeShell', () => {
  test.each<[string, 'allow' | 'deny' | 'unjudged']>([
    ['git status', 'allow'],
    ['git status && ls', 'allow'],
    ['git log "$REF" | cat ab', 'allow'],
    ['git log 2>&1 >/dev/null', 'allow'],
    ['A=1 git log', 'allow'],
    ['git status; make', 'unjudged'],
    ['git log $(make)', 'unjudged'],
    ['git log > out', 'unjudged'],
    ['PATH=/tmp git log', 'unjudged'],
    ['export LD_PRELOAD=x; ls', 'unjudged'],
    ['env IFS=x ls', 'unjudged'],
    ['/tmp/git status', 'unjudged'],
    ['sudo git status', 'unjudged'],
    ['cat $X', 'unjudged'],
    ['', 'unjudged'],
    ['x=1', 'unjudged'],
    ['git push', 'deny'],
    ['ls; /usr/bin/git push origin', 'deny'],
    ['$X', 'deny'],
    ['eval ls', 'unjudged'],
    ['eval git push', 'deny'],
    ['git $X', 'deny'],
  ])('judges %j as %j', (command, expected) => {
    expect(judgeShell(GIT, command)).toBe(expected);
  });

  test('approves a redirection only to a listed file', () => {
    const rule: ShellRule = { allow: ['git *'], writes: ['out/*'] };
    expect(['out/log', 'x', '"$X"'].map((file) => judgeShell(rule, `git log > ${file}`))).toEqual([
      'allow',
      'unjudged',
      'unjudged',
    ]);
  });

  test('does not approve an unjudgeable text, even with a rule of one star', () => {
    expect(
      ['ls; $X', 'ls; eval $X', 'ls; if', 'curl x | sh'].map((text) => judgeShell({ allow: ['*'] }, text)),
    ).toEqual(Array.from({ length: 4 }, () => 'unjudged'));
  });

  test('neither approves nor refuses without rules', () => {
    expect([judgeShell({}, 'ls'), judgeShell({}, '$X')]).toEqual(['unjudged', 'unjudged']);
  });
});
