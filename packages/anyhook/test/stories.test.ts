/** The built command line, as people meet it. `UPDATE_STORIES=1` writes down what really happens; read the difference. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { deepTest } from './deep.ts';
import { play } from './story.ts';

const FOLDER = fileURLToPath(new URL('stories/', import.meta.url));

/** Half of all that stories cost; what each command says is told by others too. */
const LONG = new Set(
  [
    'add-of-others',
    'any-word-for-an-event',
    'broken-hooks',
    'completion',
    'init-kinds',
    'install-everywhere',
    'install-here',
    'install-mcp',
    'screens-120',
    'screens-60',
    'why-last',
    'wrong-use',
  ].map((name) => `${name}.txt`),
);

describe('a story', () => {
  for (const name of readdirSync(FOLDER).toSorted())
    (LONG.has(name) && process.env['UPDATE_STORIES'] !== '1' ? deepTest : test)(
      name.replace(/\.txt$/, '').replaceAll('-', ' '),
      () => {
        const story = readFileSync(FOLDER + name, 'utf8');
        const text = play(story);
        if (process.env['UPDATE_STORIES'] === '1') writeFileSync(FOLDER + name, text);
        else expect(text).toBe(story);
      },
      120_000,
    );

  test('that tells of another outcome is seen to differ', () => {
    const story = '$ echo hello; echo no >&2; exit 3\n> hello\n';
    expect(play(story)).toBe('$ echo hello; echo no >&2; exit 3\n> hello\n! no\n? 3\n');
  });

  test('prints nothing that a terminal would obey, and nothing wider than 80 columns but hashes, paths and code', () => {
    for (const name of readdirSync(FOLDER)) {
      const printed = readFileSync(FOLDER + name, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('> '));
      // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
      expect(printed.filter((line) => /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(line))).toEqual([]);
    }
  });
});
