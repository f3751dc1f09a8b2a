/** Where looking ends, that is said: nothing hides behind a limit. */

import { describe, expect, test } from 'vitest';
import { analyseShell } from './analyse.ts';
import { DEEPEST_WRAPPING, LONGEST_INSIDE, MOST_COMMANDS, MOST_WORDS } from './limits.ts';

/** How many commands were found, why it ended, and that it is not all. */
const ends = (text: string) => {
  const { acts: commands, unjudgeable, isCut } = analyseShell(text);
  return [commands.length, unjudgeable, isCut];
};

describe('the analysis stops', () => {
  test('after eight wrappers, also if each contains a text', () => {
    const quoted = (levels: number) => {
      let text = 'rm x';
      for (let at = 0; at < levels; at++) text = `eval ${JSON.stringify(text)}`;
      return text;
    };
    expect([ends(`${'sudo '.repeat(DEEPEST_WRAPPING)}rm x`), ends(`${'sudo '.repeat(9)}rm x`)]).toEqual([
      [9, [], false],
      [9, ['wrapped more than 8 times: rm x'], true],
    ]);
    expect([ends(quoted(4)), ends(quoted(9))]).toEqual([
      [5, [], false],
      [9, ['wrapped more than 8 times: rm x'], true],
    ]);
  });

  test(`after ${MOST_COMMANDS} commands`, () => {
    expect([ends('ls;'.repeat(MOST_COMMANDS)), ends('ls;'.repeat(MOST_COMMANDS + 1))]).toEqual([
      [MOST_COMMANDS, [], false],
      [MOST_COMMANDS, [`more than ${MOST_COMMANDS} commands`], true],
    ]);
  });

  test(`after ${LONGEST_INSIDE} characters of nested texts`, () => {
    const inside = (length: number) => `eval '${'#'.repeat(length)}'; eval '#'`;
    expect([ends(inside(LONGEST_INSIDE - 1)), ends(inside(LONGEST_INSIDE))]).toEqual([
      [2, [], false],
      [2, ['the texts inside are too long'], true],
    ]);
  });

  test(`after ${MOST_WORDS} words of nested commands`, () => {
    // Every tail of the words may be a command: sixty words make sixty commands of 1,830 words.
    const tails = (count: number) =>
      ends(`npx ${Array.from({ length: count }, (_, at) => `w${at}`).join(' ')}`);
    const [found, reasons, isCut] = tails(90);
    expect([reasons, isCut]).toEqual([['the commands inside are too many'], true]);
    expect(Number(found)).toBeLessThan(91);
    expect(tails(60)).toEqual([61, [], false]);
  });

  test('if any of more than 256 words may be the command', () => {
    const words = (count: number) => `npx ${'-x '.repeat(count)}`;
    expect([ends(words(256)), ends(words(257))]).toEqual([
      [1, [], false],
      [1, ['npx: 257 words, its command may be any of them'], false],
    ]);
  });

  test('after a hundred reasons, and reports each reason once', () => {
    const names = Array.from({ length: 120 }, (_, at) => `$X${at}`);
    expect([analyseShell(names.join(';')).unjudgeable.length, analyseShell('$X;$X').unjudgeable]).toEqual([
      100,
      ["the command's name is known only at run time: $X"],
    ]);
  });
});

describe('another shell', () => {
  test('is judged only as far as every shell reads the text alike', () => {
    expect([ends("zsh -c 'ls a; rm x'"), ends("zsh -c 'ls *(e:x:)'")[1]]).toEqual([
      [3, [], false],
      ['another shell may read it differently: ls *(e:x:)'],
    ]);
  });
});

test('opens the same words only once', () => {
  expect(ends('npx a b; npx a b')).toEqual([4, [], false]);
});
