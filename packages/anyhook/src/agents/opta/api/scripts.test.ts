/** The three scripts of section 7, as they are shipped. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, type TestContext } from 'vitest';
import { HookManager } from './index.ts';
import { context, read, RECORDS, scratch } from './fixtures/scratch.ts';

const ROOT = fileURLToPath(new URL('../../../../../../', import.meta.url));
const SHIPPED = join(ROOT, 'examples/opta/.opta/hooks');
const NAMES = ['block-rm.sh', 'auto-lint.sh', 'auto-test.sh'] as const;

/** Where a program really is: a shim that looks for others on the PATH would not work alone on one. */
function located(program: string): string | undefined {
  const ask =
    program === 'python3' ? 'python3 -c "import sys; print(sys.executable)"' : `command -v ${program}`;
  const { stdout } = spawnSync('sh', ['-c', ask], { encoding: 'utf8' });
  return stdout.trim() || undefined;
}
/** A PATH on which there is nothing else. */
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
  test.each(NAMES)('%s is there, can be run, and says that it is bash', (name) => {
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
  test.each(DESTRUCTIVE)('blocks %j', (command) => {
    const { status, stderr } = asks(command);
    expect([status, stderr]).toEqual([1, 'Blocked: destructive rm\n']);
  });

  test.each(BENIGN)('lets pass %j', (command) => {
    const { status, stderr } = asks(command);
    expect([status, stderr]).toEqual([0, '']);
  });

  for (const reader of ['jq', 'node', 'python3'])
    describe(`with ${reader} alone to read JSON`, () => {
      const needed: Parameters<TestContext['skip']> = [
        located(reader) === undefined,
        `${reader} is not here`,
      ];

      test('blocks what is destructive and lets pass what is not', ({ skip }) => {
        skip(...needed);
        const PATH = onlyWith(...PLAIN, reader);
        for (const command of ['rm -rf "a b"', 'rm \\\n -r x', 'é; rm --recursive é'])
          expect([asks(command, { PATH }).status, command]).toEqual([1, command]);
        for (const command of ['ls', 'rm "é"'])
          expect([asks(command, { PATH }).status, command]).toEqual([0, command]);
      });

      test('blocks what is no JSON object, and a command that is no text', ({ skip }) => {
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

      test('reads cut arguments from the file that holds them all', ({ skip }) => {
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

  test('blocks when nothing can read JSON, and says what is missing', () => {
    const { status, stderr } = asks('ls', { PATH: onlyWith(...PLAIN) });
    expect([status, stderr]).toEqual([
      1,
      'Blocked: the command cannot be read here (is it JSON? is jq, node or python3 installed?)\n',
    ]);
  });

  test.each(['awk', 'grep', 'dirname'])('blocks when %s is missing', (tool) => {
    const PATH = onlyWith(...PLAIN.filter((other) => other !== tool), 'node');
    expect(asks('ls', { PATH }).status).toBe(1);
    expect(asks('rm -rf x', { PATH }).status).toBe(1);
  });

  test('sees an rm behind a megabyte of text, in time', async () => {
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
  test.each(HOSTILE)('hands %j to ruff as a file, literally', (name) => {
    const { status, words, isClean } = recording(script, `${name}.py`, { 'bin/ruff': RECORDS });
    expect([status, words, isClean]).toEqual([0, ['bin/ruff', 'check', '--fix', '--', `${name}.py`], true]);
  });

  test.each(['tsx', 'js'])('hands a .%s file to the project’s own eslint, through npx', (kind) => {
    const path = `-a 'b'.${kind}`;
    const { status, words } = recording(script, path, { 'node_modules/.bin/eslint': RECORDS });
    expect([status, words]).toEqual([0, ['node_modules/.bin/eslint', '--fix', '--', path]]);
  });

  test('leaves other files alone, and a linter that fails is nobody’s problem', () => {
    expect(recording(script, 'a.md', { 'bin/ruff': RECORDS })).toMatchObject({ status: 0, words: [] });
    expect(recording(script, 'a.py', { 'bin/ruff': '#!/bin/sh\nexit 1\n' })).toMatchObject({ status: 0 });
    expect(run(script, { OPTA_TOOL_ARGS: 'no json' })).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('auto-test', () => {
  const script = join(SHIPPED, 'auto-test.sh');
  test.each(['a.ts', '-b c.tsx'])('runs the tests after %j', (path) => {
    const { status, words } = recording(script, path, { 'bin/npm': RECORDS });
    expect([status, words]).toEqual([0, ['bin/npm', 'test', '--', '--run', '--reporter=dot']]);
  });

  test('prints the last five lines, and does nothing after other files', () => {
    const npm = '#!/bin/sh\nfor i in 1 2 3 4 5 6 7; do echo $i; done; exit 1\n';
    expect(recording(script, 'a.ts', { 'bin/npm': npm })).toMatchObject({
      status: 0,
      stdout: '3\n4\n5\n6\n7\n',
    });
    expect(recording(script, 'a.py', { 'bin/npm': RECORDS })).toMatchObject({ status: 0, words: [] });
  });
});
