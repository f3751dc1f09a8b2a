/** What a text sets, what that runs, and when an approval still holds. */

import { describe, expect, test } from 'vitest';
import { analyseShell } from './analyse.ts';
import { judgeShell, type ShellRule } from './judge-shell.ts';

const found = (text: string) => {
  const { acts: commands, unjudgeable, settings } = analyseShell(text);
  return [
    commands.map(({ words }) => words.map(({ value }) => value).join(' ')),
    unjudgeable,
    settings.map(({ name, value: { value, lead, literal } }) => [name, value, lead, literal]),
  ];
};
const known = (name: string, value: string) => [name, value, value, value];
const LONG = 'x'.repeat(5000);

describe('an assignment', () => {
  test.each<[text: string, commands: string[], unjudgeable: string[], settings: string[][]]>([
    ['A+=1 ls', ['ls'], [], [known('A', '1')]],
    ['env A="$X" ls', ['env A=$X ls', 'ls'], [], [['A', '$X', '', '']]],
    [
      'env A=$X ls',
      ['env A=$X ls', 'ls'],
      ["the command's place is known only at run time: A=$X"],
      [['A', '$X', '', '']],
    ],
    ['EDITOR="a b; c" git commit', ['a b', 'c', 'git commit'], [], [known('EDITOR', 'a b; c')]],
    [
      'PAGER=$X git log',
      ['git log'],
      ["the command's name is known only at run time: $X"],
      [['PAGER', '$X', '', '']],
    ],
    ['echo rm x > f; ENV=f sh -c :', ['rm x', 'echo rm x', 'sh -c :', ':'], [], [known('ENV', 'f')]],
    [
      'BASH_ENV=/dev/stdin bash -c :',
      ['bash -c :', ':'],
      ['BASH_ENV reads its program from its input'],
      [known('BASH_ENV', '/dev/stdin')],
    ],
    [
      "A='a[$(rm)]' ls",
      ['ls'],
      ["A holds a subscript that may be evaluated: 'a[$(rm)]'"],
      [known('A', 'a[$(rm)]')],
    ],
    [
      'env "BASH_FUNC_x%%=() { rm; }" ls',
      ['env BASH_FUNC_x%%=() { rm; } ls', 'ls'],
      ['BASH_FUNC_x%% holds code'],
      [known('BASH_FUNC_x%%', '() { rm; }')],
    ],
    ['PERL5OPT=x perl a', ['perl a'], ['PERL5OPT holds code'], [known('PERL5OPT', 'x')]],
  ])('in %j is analysed', (text, commands, unjudgeable, settings) => {
    expect(found(text)).toEqual([commands, unjudgeable, settings]);
  });

  test.each<[options: string, isCode: boolean]>([
    ['-e', true],
    ['-p', true],
    ['--eval', true],
    ['--print', true],
    ['--import=data:text/javascript,x', true],
    ['--experimental', false],
    ['--max-old-space-size=1', false],
    ['metadata:x', false],
    ['--port', false],
  ])('of interpreter options %j contains code: %j', (options, isCode) => {
    for (const name of ['NODE_OPTIONS', 'BUN_OPTIONS'])
      expect(analyseShell(`${name}=${options} ls`).unjudgeable).toEqual(
        isCode ? [`${name} holds code: ${options}`] : [],
      );
    expect(analyseShell(`OTHER_OPTIONS=${options} ls`).unjudgeable).toEqual([]);
  });
});

describe('a nested text', () => {
  test.each<[text: string, commands: string[], unjudgeable: string[]]>([
    ['npx "a; if"', ['npx a; if', 'a; if', 'a'], []],
    ['tmux "it\'s fine"', ["tmux it's fine", "it's fine", 'its fine'], []],
    ["zsh -c 'a=b c'", ['zsh -c a=b c', 'c'], []],
    ["zsh -c 'a && b || c | d; e'", ['zsh -c a && b || c | d; e', 'a', 'b', 'c', 'd', 'e'], []],
    ["zsh -c 'a =b'", ['zsh -c a =b', 'a =b'], ['another shell may read it differently: a =b']],
    ["zsh -c 'a # b'", ['zsh -c a # b', 'a'], ['another shell may read it differently: a # b']],
    ["zsh -c 'a $x'", ['zsh -c a $x', 'a $x'], []],
  ])('in %j runs %j, with the unjudgeable parts %j', (text, commands, unjudgeable) => {
    expect(found(text).slice(0, 2)).toEqual([commands, unjudgeable]);
  });

  test('that is too long is unjudgeable as a program, and ignored as data', () => {
    const heard = (text: string) => {
      const { unjudgeable, isCut } = analyseShell(text);
      return [unjudgeable, isCut];
    };
    expect([heard(`sh <<'E'\n${LONG}\nE`), heard(`cat <<'E'\n${LONG}\nE`)]).toEqual([
      [['a program on the input is too long'], true],
      [[], false],
    ]);
  });
});

test.each<[rule: ShellRule, text: string, judgement: string]>([
  [{ allow: ['git a*'] }, 'git a$X', 'allow'],
  [{ allow: ['git a?'] }, 'git a$X', 'unjudged'],
  [{ allow: ['git b*'] }, 'git a$X', 'unjudged'],
  [{ allow: ['ls', 'git *'] }, 'git a b', 'allow'],
  [{ allow: ['*'] }, 'ls >>/dev/null', 'allow'],
  [{ allow: ['*'], writes: ['a?'] }, 'ls > ab > ac', 'allow'],
  [{ allow: ['*'], writes: ['a?'] }, 'ls > ab > b', 'unjudged'],
  [{ allow: ['*'], writes: ['*'] }, 'ls > $X', 'unjudged'],
  [{ deny: ['* && *'] }, 'a && b', 'deny'],
  [{ deny: ['x', 'rm *'], allow: ['*'] }, 'rm a', 'deny'],
  [{ deny: ['rm *'], allow: ['ls'] }, 'ls', 'allow'],
  [{ allow: ['*'] }, 'LD_PRELOAD=x ls', 'unjudged'],
  [{ allow: ['*'] }, 'A=1 ls', 'allow'],
  [{ allow: ['*'] }, '# x', 'unjudged'],
])('the rule %j judges %j as %j', (rule, text, judgement) => {
  expect(judgeShell(rule, text)).toBe(judgement);
});
