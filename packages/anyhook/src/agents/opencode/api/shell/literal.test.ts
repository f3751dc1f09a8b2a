/** The shell treats every value as data, whatever it contains. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { makeShell } from './make-shell.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function ground(shell?: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'anyhook-literal-'));
  folders.push(cwd);
  return { cwd, $: makeShell({ cwd, ...(shell !== undefined && { shell }) }) };
}
const SHELLS = [undefined, '/bin/sh'];

const HOSTILE = [
  '"',
  "'",
  '`',
  '$',
  '$(touch planted)',
  '`touch planted`',
  '${HOME}',
  '$HOME',
  '\\',
  '\n',
  '\t',
  ' ',
  '*',
  '?',
  '~',
  '#',
  '!',
  '&',
  '; touch planted;',
  '|',
  '>',
  '<',
  '(',
  ')',
  '{a,b}',
  '%s',
  '\\n',
  '\\c',
  '-n',
  'é',
  '😀',
  '\r',
  '"; touch planted; "',
  "'; touch planted; '",
  '$1',
  '"$@"',
  '\u0008__bunstr_0',
  '',
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 5 })), { maxLength: 6 })
  .map((pieces) => pieces.join('').replaceAll('\0', ''));
/** The expected output of `printf '<%s>'`. */
const shown = (...words: string[]) => words.map((word) => `<${word}>`).join('');

describe.each(SHELLS)('in the shell %s', (shell) => {
  test('a value is literal outside and inside quotes, in $(…), and next to text', async () => {
    const { cwd, $ } = ground(shell);
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (a, b) => {
        const text = await $`
          printf '<%s>' ${a} pre${b}post "in ${a} and ${b}" 'single ${a}' A=${b} $${a} "$${b}"
          printf '<%s>' "$(printf '%s.' ${a} "${b}")" ${[a, [b]]} "${[a, b]}" # ${a}
          f() { printf '<%s>' ${a} "$1"; }; f ${b}
          (printf '<%s>' ${b})`.text();
        const words = [a, `pre${b}post`, `in ${a} and ${b}`, `single ${a}`, `A=${b}`, `$${a}`, `$${b}`];
        expect(text).toBe(shown(...words, `${a}.${b}.`, a, b, `${a} ${b}`, a, b, b));
      }),
      { numRuns: 60 },
    );
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('a value after a redirection is a file name', async () => {
    const { cwd, $ } = ground(shell);
    const name = hostile
      .map((text) => `f${text.replaceAll('/', '')}`)
      .filter((text) => Buffer.byteLength(text) < 200);
    await fc.assert(
      fc.asyncProperty(name, hostile, async (file, text) => {
        await $`printf %s ${text} > ${file}; printf %s "${text}" >> "${file}"`;
        expect(readdirSync(cwd)).toEqual([file]);
        expect(readFileSync(join(cwd, file), 'utf8')).toBe(text + text);
        rmSync(join(cwd, file));
      }),
      { numRuns: 30 },
    );
  });

  test('the log line of a plugin contains exactly its message', async () => {
    const { cwd, $ } = ground(shell);
    const logFile = join(cwd, 'audit $(x) "log"');
    const log = async (timestamp: string, message: string) => {
      await $`echo "${timestamp}: ${message}" >> ${logFile}`;
    };
    await fc.assert(
      fc.asyncProperty(hostile, async (message) => {
        rmSync(logFile, { force: true });
        await log('2026-01-01T00:00:00.000Z', message);
        expect(readFileSync(logFile, 'utf8')).toBe(`2026-01-01T00:00:00.000Z: ${message}\n`);
      }),
      { numRuns: 30, examples: [['a\\nb \\c "q" $(id) `id`\nlast']] },
    );
  });

  test('a value of a megabyte arrives completely', async () => {
    const { $ } = ground(shell);
    const long = 'é😀"$(x)'.repeat(80_000);
    expect(await $`printf %s ${long}`.text()).toBe(long);
  });
});

describe('the same template', () => {
  test('control: values pasted into the script text are executed', () => {
    const { cwd } = ground();
    const message = '"; touch planted; echo "';
    execFileSync('/bin/sh', ['-c', `echo "${message}" > log`], { cwd, stdio: 'ignore' });
    expect(readdirSync(cwd)).toContain('planted');
  });
});

describe('values that cannot be literal', () => {
  test('a value that cannot be literal is refused, and nothing runs', () => {
    const { cwd, $ } = ground();
    const x = 'a[$(touch planted)]';
    const refused: [() => unknown, string][] = [
      [() => $`echo $(( ${x} + 1 ))`, 'which accepts only integers'],
      [() => $`(( ${x} > 1 ))`, 'which accepts only integers'],
      [() => $`cat <<END\n${x}\nEND`, 'here-document'],
      [() => $`echo ${{ raw: '\\' }}${x}`, 'after a backslash'],
      [() => $`echo ${{ raw: '`echo ' }}${x}`, 'between backticks'],
      [() => $`echo ${{ raw: '${X:-' }}${x}`, 'inside ${…}'],
      [() => $`echo "$(case a in a) echo ${x};; esac)"`, 'after "case"'],
      [() => $`echo ${{ some: 'object' }}`, '[object Object] cannot be passed'],
      [() => $`echo ${() => 1}`, 'a function cannot be passed'],
      [() => $`echo ${'a\0b'}`, 'NUL byte'],
      [() => $`echo ${Buffer.from('x')}`, 'are only allowed after "<"'],
    ];
    for (const [act, why] of refused) expect(act).toThrow(why);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('a value is accepted where it is safe: numbers in arithmetic, raw text, a case outside parentheses', async () => {
    const { $ } = ground();
    expect(await $`echo $(( ${20} + ${'22'} ))`.text()).toBe('42\n');
    expect(await $`echo ${{ raw: '"a  b" | tr a-z A-Z' }}`.text()).toBe('A  B\n');
    expect(await $`case ${'a b'} in "a b") echo ${'x  y'};; esac`.text()).toBe('x  y\n');
    expect(await $`echo $'it\'s ${'a\\n'}' "${[]}" ${[]} # don't`.text()).toBe("it's a\\n \n");
  });
});
