/** Programs by their other names, and files and names that the text itself has made. */

import { describe, expect, test } from 'vitest';
import { commandsIn } from './analyse.ts';
import { programName } from './word.ts';

/** What is found behind the first command, and what cannot be judged. */
const found = (text: string) => {
  const { commands, unjudgeable } = commandsIn(text);
  return [commands.slice(1).map(({ words }) => words.join(' ')), unjudgeable];
};
const scripts = (runner: string) => `echo '{"scripts":{"a":  "rm x"}}' > package.json; ${runner} z`;

test.each<[text: string, ...inner: string[]]>([
  ...['awk', 'gawk', 'mawk', 'nawk', 'original-awk'].map((name): [string, string] => [
    `${name} 'BEGIN { system("rm x") }'`,
    'rm x',
  ]),
  ['gfind . -exec rm {} \\;', 'rm {}'],
  ['fdfind -x rm', 'rm {}'],
  ['. <(echo rm x)', 'rm x', 'echo rm x'],
  ['cmake -E rm x', 'rm x'],
  ...['npm', 'pnpm', 'yarn', 'bun'].map((name): [string, string, string] => [
    scripts(name),
    `${name} z`,
    'rm x',
  ]),
  [scripts('npx'), 'npx z', 'z', 'rm x'],
  ['timeout 5 A=1 rm', 'rm'],
  ['timeout 5 -k rm x', '-k rm x'],
  ['watch a ::: b', 'a ::: b'],
  ['parallel "rm {}" "{}" ::: a', 'rm {} {}', 'rm a a'],
  ['docker run --name "$N:1" img rm', 'img rm', 'rm'],
  ['kubectl exec pod a "$X"', 'pod a $X', 'a $X'],
  ['npx a "$X"', 'a $X'],
  ['concurrently a b "$X"', 'a b $X', 'b $X'],
])('%j runs %j', (text, ...inner) => {
  expect(found(text)).toEqual([inner, []]);
});

test.each<[text: string, word: string]>([
  ['docker run --name "$N=1" img "$C"', '"$C"'],
  ['docker exec c a "$X"', '"$X"'],
  ['kubectl exec pod "$X"', '"$X"'],
  ['concurrently a "$X"', '"$X"'],
  ['tmux -s "$S" a', '"$S"'],
])('in %j the word %j may be the name of a program', (text, word) => {
  expect(found(text)).toEqual([
    [],
    [`${text.split(' ')[0]}: the command's name is known only at run time: ${word}`],
  ]);
});

describe('an alias', () => {
  test('is replaced by its command, whatever the spacing', () => {
    expect(found('alias q=" rm   -rf"; q y')).toEqual([['rm -rf', 'q y', 'rm -rf y'], []]);
  });

  test('that contains its own name is expanded once', () => {
    expect([
      found('alias ls="ls -l"; ls x'),
      found('alias rm="rm -rf"; rm x'),
      found('alias ls=ls; ls x'),
    ]).toEqual([
      [['ls -l', 'ls x', 'ls -l x'], []],
      [['rm -rf', 'rm x', 'rm -rf x'], []],
      [['ls', 'ls x'], []],
    ]);
  });
});

describe('a file that the text itself writes', () => {
  const written = (...lines: string[]) => {
    const [inner, unjudgeable] = found(`printf '${lines.join('\\n')}\\n' > f; ./f`) as [string[], string[]];
    return [inner.slice(1), unjudgeable];
  };

  test.each([
    '#!/bin/sh',
    '#!/bin/bash -e',
    '#! /usr/bin/env bash',
    '#!/usr/bin/env -S zsh -f',
    'ls #!/usr/bin/python3',
  ])('is shell text with the first line %j', (first) => {
    expect(written(first, 'rm x')).toEqual([first.startsWith('#!') ? ['rm x'] : ['ls', 'rm x'], []]);
  });

  test.each(['#!/usr/bin/python3', '#! /usr/bin/env  python3', '#!/usr/bin/python3 -u'])(
    'is code of another language with the first line %j',
    (first) => {
      expect(written(first, 'import os; os.system("rm x")')).toEqual([['rm x'], []]);
    },
  );
});

test('programName removes the folder and the ending of an executable', () => {
  expect(['a.exe.b', 'x.EXE', 'a.command', 'c:\\h\\x.bat', '/a/b', 'a.com/b'].map(programName)).toEqual([
    'a.exe.b',
    'x',
    'a.command',
    'x',
    'b',
    'b',
  ]);
});
