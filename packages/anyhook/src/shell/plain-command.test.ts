import { describe, expect, test } from 'vitest';
import { isPlainShape, plainCommand } from './plain-command.ts';

describe('a plain command', () => {
  test.each([
    ['npm test', 'npm test', 'npm test'],
    ['  npm   test ', 'npm test', 'npm test'],
    ["git push 'origin' --force", 'git push origin --force', 'git push --force'],
    ['git push --force origin main', 'git push --force origin main', 'git push --force'],
    ['rm -r "a b"', "rm -r 'a b'", 'rm -r'],
    ['ls -a -- -x', 'ls -a -- -x', 'ls -a'],
  ])('%s is read word by word', (text, exact, shape) => {
    expect(plainCommand(text)).toEqual({ exact, shape });
  });

  test.each([
    'npm test && rm -rf /',
    'npm test; x',
    'npm test | sh',
    'npm test > ~/.bashrc',
    'npm test 2>&1',
    'npm test &',
    'FOO=1 npm test',
    'npm $X',
    'npm "$(x)"',
    '$X test',
    'sudo npm test',
    "bash -c 'npm test'",
    'npm test <<< x',
    '(npm test)',
    '! npm test',
    'npm test # x\nrm x',
    'npm te*',
    'ls ~/x',
    'ls {a,b}',
    'cat <<EOF\nx\nEOF',
    'if true; then npm test; fi',
    '',
    'npm test\nrm -rf x',
    'for i in 1; do npm test; done',
    "npm 'test",
  ])('%j does more than its words say', (text) => {
    expect(plainCommand(text)).toBeUndefined();
  });

  test('a shape with characters that a matcher reads differently is not plain', () => {
    expect(isPlainShape('git push --force')).toBe(true);
    for (const shape of ['a b*', 'a (x', 'a|b', 'a ?', 'a {x']) expect(isPlainShape(shape)).toBe(false);
  });
});
