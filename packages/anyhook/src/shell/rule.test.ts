import { describe, expect, test } from 'vitest';
import { analyseOnce, analyseShell } from './analyse.ts';
import { compileGlob, RUN_TIME } from './glob.ts';
import { matchShell } from './matches-shell.ts';
import { compileRule, fitsRule } from './rule.ts';

/** Does the rule fit the first command of the text, as it stands there? */
const fits = (rule: string, text: string) => fitsRule(compileRule(rule), analyseShell(text).acts[0]!);

describe('a glob', () => {
  test.each<[source: string, literal: string, isLiteral: boolean]>([
    ['', '', true],
    ['git', 'git', true],
    ['git*', 'git', false],
    ['g?t', 'g', false],
    ['g[a]t', 'g', false],
    ['g[t', 'g[t', true],
    ['git push:*', 'git push', true],
    ['*', '', false],
  ])('%j starts with the literal %j, without a wildcard: %j', (source, literal, isLiteral) => {
    const glob = compileGlob(source);
    expect([glob.literal, glob.isLiteral]).toEqual([literal, isLiteral]);
  });

  test('matches text that only run time knows only with a star', () => {
    const covered = ['*', 'a*', 'a?', 'a[!b]', 'a[^b]', `a${RUN_TIME}`].map((source) =>
      compileGlob(source).matches(`a${RUN_TIME}`),
    );
    expect(covered).toEqual([true, true, false, false, false, true]);
  });

  test.each<[source: string, members: string, strangers: string]>([
    ['[a-c]', 'abc', 'd-['],
    ['[a-c-e]', 'abc-e', 'd'],
    ['[a-]', 'a-', 'b'],
    ['[-a]', '-a', 'b'],
    ['[^a]', 'b^!', 'a'],
    ['[!a]', 'b^!', 'a'],
    ['[!]a]', 'b', ']a'],
    ['[]a]', ']a', 'b'],
    ['[!-a]', 'b!', '-a'],
    ['[a!]', 'a!', 'b'],
  ])('%j matches each letter of %j and none of %j', (source, members, strangers) => {
    const { matches } = compileGlob(source);
    expect([[...members].filter((one) => !matches(one)), [...strangers].filter(matches)]).toEqual([[], []]);
  });

  test.each<[source: string, fit: readonly string[], not: readonly string[]]>([
    ['a*b', ['ab', 'axb', 'abb'], ['a', 'b', 'abx', 'xab']],
    ['a*b*c', ['abc', 'axbxc'], ['acb', 'ac', 'abxcx']],
    ['*ab*ab*', ['abab', 'xabxabx'], ['ab', 'aba', 'bab']],
    ['a?*?b', ['axyb', 'axzyb'], ['axb', 'ab']],
    ['*?x*', ['ax', 'aax', 'xx'], ['x', 'a']],
    ['ab*b', ['abb', 'abxb'], ['ab']],
    ['x:*', ['x', 'x y'], ['xy', 'ax', ' x']],
    ['[ab]?', ['ax', 'b-'], ['a', 'cx', 'axx']],
  ])('%j matches %j and does not match %j', (source, fit, not) => {
    const { matches } = compileGlob(source);
    expect([fit.filter((one) => !matches(one)), not.filter(matches)]).toEqual([[], []]);
  });
});

describe('a rule', () => {
  test.each<[rule: string, options: readonly string[] | undefined, isOpen: boolean, rest: string]>([
    ['rm -rf*', ['r', 'f'], true, 'rm'],
    ['rm -rf', ['r', 'f'], false, 'rm'],
    ['rm --recursive --force x', ['r', 'f'], false, 'rm x'],
    ['rm:*', [], true, 'rm'],
    ['git push --force:*', ['f'], true, 'git push'],
    ['git push  origin*', [], true, 'git push origin'],
  ])('%j has the options %j, allows others: %j, and has the operands %j', (rule, options, isOpen, rest) => {
    const { invocation } = compileRule(rule);
    expect([invocation?.options, invocation?.isOpen, invocation?.rest.literal]).toEqual([
      options,
      isOpen,
      rest,
    ]);
  });

  test.each(['ls|wc', '', '*', '* --force*', '"rm" -rf', './rm -rf*', 'made-up -rf*'])(
    '%j names no known command, so only its letters are compared',
    (rule) => {
      expect(Object.keys(compileRule(rule))).toEqual(['glob']);
    },
  );

  test('fits a command by its spelling, without quotes, and without the folder of its program', () => {
    expect(
      [
        'made-up  -x a',
        'made-up -x a',
        '"made-up" \'-x\' a',
        '/usr/bin/made-up -x a',
        'C:\\\\x\\\\made-up.exe -x a',
        'made-up -x b',
        'made-upper -x a',
      ].map((text) => fits('made-up -x a', text)),
    ).toEqual([true, true, true, true, true, false, false]);
    expect([fits('/usr/bin/x a', '/usr/bin/x a'), fits('/usr/bin/x a', 'x a')]).toEqual([true, false]);
  });

  test('without a star at the end does not fit further options; with a star it does', () => {
    expect([
      fits('rm -r x', 'rm -r x'),
      fits('rm -r x', 'rm --recursive x'),
      fits('rm -r x', 'rm -rf x'),
      fits('rm -r x', 'rm x'),
      fits('rm -r*', 'rm -f --recursive x y'),
      fits('rm -r*', 'rm -f x'),
    ]).toEqual([true, true, false, false, true, false]);
  });

  test('with a star after an option fits whatever follows; after a word, the rest of that word', () => {
    expect([
      fits('git push -f*', 'git push --force origin main'),
      fits('git push -f*', 'git pushy --force'),
      fits('git push --force orig*', 'git push -f origin'),
      fits('git push --force orig*', 'git push -f other'),
      fits('git push --force orig *', 'git push -f orig main'),
      fits('git push --force orig *', 'git push -f orig'),
      fits('git push --force orig *', 'git push -f origin main'),
      fits('rm -r x:*', 'rm --recursive x y'),
      fits('rm -r x:*', 'rm --recursive xy'),
    ]).toEqual([true, false, true, false, true, false, false, true, false]);
  });
});

describe('matchShell', () => {
  const LONG = `rm ${'x'.repeat(200)}`;

  test('returns the command that fits, shortened for a message', () => {
    expect([
      matchShell('rm x', 'rm x'),
      matchShell('rm x', 'ls; sudo rm x'),
      matchShell('rm *', LONG),
      matchShell('rm *', `ls; ${LONG}`),
      matchShell('rm x', 'ls'),
    ]).toEqual([
      { kind: 'matches', command: 'rm x' },
      { kind: 'matches', command: 'rm x' },
      { kind: 'matches', command: `${LONG.slice(0, 117)}…` },
      { kind: 'matches', command: `${LONG.slice(0, 117)}…` },
      { kind: 'clear' },
    ]);
  });

  test('is in doubt if a part is unjudgeable, or if only run time knows the word that the rule names', () => {
    const loose = (command: string) => ({
      kind: 'opaque',
      why: `what it does is known only at run time: ${command}`,
    });
    expect([
      matchShell('rm x', 'ls; $X y'),
      matchShell('git push*', 'git $X'),
      matchShell('git push*', '/usr/bin/git p"$X"'),
      matchShell('git push origin', 'git push $X'),
      matchShell('git', 'git $X'),
    ]).toEqual([
      { kind: 'opaque', why: "the command's name is known only at run time: $X y" },
      loose('git $X'),
      loose('/usr/bin/git p"$X"'),
      loose('git push $X'),
      loose('git $X'),
    ]);
  });

  test.each<[rule: string, text: string, isInDoubt: boolean]>([
    ['git push*', 'git log $X', false],
    ['git push*', 'git pull$X', false],
    ['git push*', 'git push$X', true],
    ['git push', 'git push $X', true],
    ['git push*', 'git -C "$X" log', false],
    ['rm x', 'rm y $X', false],
    ['rm -rf*', 'rm $X', false],
    ['rm -rf*', 'rm "$X"', false],
    ['rm -rf*', 'rm $@', true],
    ['rm -rf*', 'rm "$*"', true],
    ['rm -rf*', 'rm $OPTS x', true],
    ['rm -rf*', 'rm ${MY_FLAGS} x', true],
    ['rm -rf*', 'rm "$ARGS"', true],
    ['rm -rf*', 'rm x$OPTS', false],
    ['made-up x', 'made-up', false],
  ])('%j is in doubt about %j: %j', (rule, text, isInDoubt) => {
    expect(matchShell(rule, text).kind !== 'clear').toBe(isInDoubt);
  });

  test('analyses a text once for consecutive rules', () => {
    const first = analyseOnce('ls a');
    expect([analyseOnce('ls a') === first, analyseOnce('ls b') === first, analyseOnce('ls a')]).toEqual([
      true,
      false,
      first,
    ]);
  });
});
