/** The three scripts of section 7, as they are shipped. */

import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, type TestContext } from 'vitest';
import { context, read, RECORDS, scratch } from './fixtures/scratch.ts';
import { HookManager } from './index.ts';

const ROOT = fileURLToPath(new URL('../../../../../../', import.meta.url));
const SHIPPED = join(ROOT, 'examples/opta/.opta/hooks');
const NAMES = ['block-rm.sh', 'auto-lint.sh', 'auto-test.sh'] as const;

/** Resolves the real path of a program: a shim that searches the PATH would not work alone on one. */
function located(program: string): string | undefined {
  const ask =
    program === 'python3' ? 'python3 -c "import sys; print(sys.executable)"' : `command -v ${program}`;
  const { stdout } = spawnSync('sh', ['-c', ask], { encoding: 'utf8' });
  return stdout.trim() || undefined;
}
/** A PATH that contains only these programs. */
function onlyWith(...programs: readonly string[]): string {
  const bin = scratch();
  for (const program of programs) {
    const where = located(program);
    if (where !== undefined) symlinkSync(where, join(bin, program));
  }
  return bin;
}
const PLAIN = ['dirname', 'awk', 'grep', 'cat'];
const run = (script: string, env: Record<string, string>, cwd = scratch()): SpawnSyncReturns<string> =>
  spawnSync(script, [], { cwd, env: { PATH: process.env['PATH'] ?? '', ...env }, encoding: 'utf8' });

describe('each of the three', () => {
  test.each(NAMES)('%s exists, is executable and uses bash', (name) => {
    const file = join(SHIPPED, name);
    expect((statSync(file).mode & 0o111) !== 0).toBe(true);
    expect(readFileSync(file, 'utf8').startsWith('#!/bin/bash\n')).toBe(true);
  });
});

const DESTRUCTIVE = [
  'rm -rf x',
  'rm -r x',
  'rm -fr x',
  'rm -Rf x',
  'rm -vrf x',
  'rm -f -r x',
  'rm -f --recursive x',
  'rm --rec x',
  'rm x y -rf',
  'rm\t-rf x',
  '/bin/rm -rf /',
  'sudo rm -rf /',
  'ls && rm -rf x',
  'ls;rm -rf x',
  'true | xargs rm -rf',
  'find . -exec rm -r {} +',
  'sh -c "rm -rf x"',
  '(rm -rf x)',
  'echo `rm -rf x`',
  '\\rm -rf x',
  '"rm" -rf x',
  "r''m -rf x",
  'r\\m "-rf" x',
  'rm${IFS}-rf${IFS}x',
  'rm \\\n  -rf x',
  'r\\\nm -rf x',
  'ls\nrm -rf x',
  'rm é -rf',
];
const BENIGN = [
  'ls -la',
  'rm file.txt',
  'rm -f build.log',
  'rm -i old-report',
  'rm a && grep -r x .',
  'rm a\nls -R',
  'rm a; ls -r',
  'docker run --rm -it image',
  'npm run rm-old -- -r',
  'farm -r x',
  'rmdir -p a/b',
  'git commit -m "form -r"',
  './rm.sh -r',
  'cargo build --release',
  '',
];
const rm = join(SHIPPED, 'block-rm.sh');
const asks = (command: unknown, env: Record<string, string> = {}) =>
  run(rm, { OPTA_TOOL_ARGS: JSON.stringify({ command }), ...env });

describe('block-rm', () => {
  test.each(DESTRUCTIVE)('block-rm blocks %j', (command) => {
    const { status, stderr } = asks(command);
    expect([status, stderr]).toEqual([1, 'Blocked: destructive rm\n']);
  });

  test.each(BENIGN)('block-rm lets %j pass', (command) => {
    const { status, stderr } = asks(command);
    expect([status, stderr]).toEqual([0, '']);
  });

  for (const reader of ['jq', 'node', 'python3'])
    describe(`with only ${reader} to read JSON`, () => {
      const needed: Parameters<TestContext['skip']> = [
        located(reader) === undefined,
        `${reader} is not here`,
      ];

      test('block-rm blocks destructive commands and lets others pass', ({ skip }) => {
        skip(...needed);
        const PATH = onlyWith(...PLAIN, reader);
        for (const command of ['rm -rf "a b"', 'rm \\\n -r x', 'é; rm --recursive é'])
          expect([asks(command, { PATH }).status, command]).toEqual([1, command]);
        for (const command of ['ls', 'rm "é"'])
          expect([asks(command, { PATH }).status, command]).toEqual([0, command]);
      });

      test('block-rm blocks arguments that are not a JSON object, and non-string commands', ({ skip }) => {
        skip(...needed);
        const PATH = onlyWith(...PLAIN, reader);
        const texts = [
          '',
          'no json',
          '[]',
          'null',
          '"rm"',
          '{"command":',
          '{"command":["rm","-rf"]}',
          '{"command":{}}',
        ];
        for (const OPTA_TOOL_ARGS of [...texts, '{"command":1}', '{}{"command":"rm -rf x"}'])
          expect([run(rm, { OPTA_TOOL_ARGS, PATH }).status, OPTA_TOOL_ARGS]).toEqual([1, OPTA_TOOL_ARGS]);
      });

      test('block-rm reads cut arguments from the file with the complete ones', ({ skip }) => {
        skip(...needed);
        const PATH = onlyWith(...PLAIN, reader);
        const cwd = scratch();
        const OPTA_PAYLOAD_FILE = join(cwd, 'payload.json');
        const env = {
          PATH,
          OPTA_PAYLOAD_FILE,
          OPTA_TOOL_ARGS: '{"command":"ls"}',
          OPTA_TOOL_ARGS_TRUNCATED: '1',
        };
        const holding = (payload: unknown) => {
          writeFileSync(OPTA_PAYLOAD_FILE, JSON.stringify(payload));
          return run(rm, env).status;
        };
        expect(holding({ tool_args: JSON.stringify({ command: 'rm -rf x' }) })).toBe(1);
        expect(holding({ tool_args: JSON.stringify({ command: 'ls -l' }) })).toBe(0);
        expect([holding({}), holding({ tool_args: 'no json' })]).toEqual([1, 1]);
        expect(run(rm, { ...env, OPTA_PAYLOAD_FILE: join(cwd, 'nowhere') }).status).toBe(1);
      });
    });

  test('block-rm blocks if nothing can read JSON, and reports what is missing', () => {
    const { status, stderr } = asks('ls', { PATH: onlyWith(...PLAIN) });
    expect([status, stderr]).toEqual([
      1,
      'Blocked: the command cannot be read here (is it JSON? is jq, node or python3 installed?)\n',
    ]);
  });

  test.each(['awk', 'grep', 'dirname'])('block-rm blocks if %s is missing', (tool) => {
    const PATH = onlyWith(...PLAIN.filter((other) => other !== tool), 'node');
    expect(asks('ls', { PATH }).status).toBe(1);
    expect(asks('rm -rf x', { PATH }).status).toBe(1);
  });

  test('block-rm finds an rm behind a megabyte of text in time', async () => {
    const cwd = scratch();
    const manager = HookManager.create([
      { event: 'tool.pre', matcher: 'run_command', command: rm, onFailure: 'block' },
    ]);
    const asked = (command: string) =>
      manager.fire(
        'tool.pre',
        context('tool.pre', { cwd, tool_name: 'run_command', tool_args: JSON.stringify({ command }) }),
      );
    expect(await asked(`${'echo a; '.repeat(150_000)} rm -rf x`)).toEqual({
      cancelled: true,
      reason: 'Blocked: destructive rm',
    });
    expect(await asked('echo a; '.repeat(150_000))).toEqual({ cancelled: false });
  });
});

const HOSTILE = ['plain', 'a b', `it's "q"`, '-rf', '--config=x', '$(touch pwned)', '`x`', 'a;b', 'é'];

function recording(script: string, path: string, tools: Record<string, string>) {
  const cwd = scratch(tools);
  const RECORD = join(cwd, 'record');
  const PATH = [join(cwd, 'bin'), process.env['PATH']].join(delimiter);
  const done = run(script, { PATH, RECORD, OPTA_TOOL_ARGS: JSON.stringify({ path }) }, cwd);
  const words = existsSync(RECORD) ? read(cwd, 'record').split('\0').slice(0, -1) : [];
  return {
    ...done,
    words: words.map((word) => word.replace(`${cwd}/`, '')),
    isClean: !existsSync(join(cwd, 'pwned')),
  };
}

describe('auto-lint', () => {
  const script = join(SHIPPED, 'auto-lint.sh');
  test.each(HOSTILE)('auto-lint passes %j to ruff as a literal file name', (name) => {
    const { status, words, isClean } = recording(script, `${name}.py`, { 'bin/ruff': RECORDS });
    expect([status, words, isClean]).toEqual([0, ['bin/ruff', 'check', '--fix', '--', `${name}.py`], true]);
  });

  test.each(['tsx', 'js'])("auto-lint passes a .%s file to the project's eslint through npx", (kind) => {
    const path = `-a 'b'.${kind}`;
    const { status, words } = recording(script, path, { 'node_modules/.bin/eslint': RECORDS });
    expect([status, words]).toEqual([0, ['node_modules/.bin/eslint', '--fix', '--', path]]);
  });

  test('auto-lint ignores other files, and a failing linter does not matter', () => {
    expect(recording(script, 'a.md', { 'bin/ruff': RECORDS })).toMatchObject({ status: 0, words: [] });
    expect(recording(script, 'a.py', { 'bin/ruff': '#!/bin/sh\nexit 1\n' })).toMatchObject({ status: 0 });
    expect(run(script, { OPTA_TOOL_ARGS: 'no json' })).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('auto-test', () => {
  const script = join(SHIPPED, 'auto-test.sh');
  test.each(['a.ts', '-b c.tsx'])('auto-test runs the tests after %j', (path) => {
    const { status, words } = recording(script, path, { 'bin/npm': RECORDS });
    expect([status, words]).toEqual([0, ['bin/npm', 'test', '--', '--run', '--reporter=dot']]);
  });

  test('auto-test prints the last five lines, and does nothing after other files', () => {
    const npm = '#!/bin/sh\nfor i in 1 2 3 4 5 6 7; do echo $i; done; exit 1\n';
    expect(recording(script, 'a.ts', { 'bin/npm': npm })).toMatchObject({
      status: 0,
      stdout: '3\n4\n5\n6\n7\n',
    });
    expect(recording(script, 'a.py', { 'bin/npm': RECORDS })).toMatchObject({ status: 0, words: [] });
  });
});
