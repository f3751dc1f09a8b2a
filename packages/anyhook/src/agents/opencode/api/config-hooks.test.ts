import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configHooks } from './config-hooks.ts';

let directory: string;
beforeEach(() => void (directory = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-opencode-')))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const node = (script: string, ...args: string[]) => [process.execPath, '-e', script, ...args];
/** Appends its arguments and a variable to a log, after an optional delay. */
const LOG = `const [wait, ...rest] = process.argv.slice(1); setTimeout(() => require('fs').appendFileSync('log', rest.join(' ') + ' ' + (['development', 'e'].find((one) => one === process.env.NODE_ENV) ?? '-') + '\\n'), Number(wait))`;
const log = (wait: number, ...args: string[]) => node(LOG, String(wait), ...args);
const logged = () => readFileSync(join(directory, 'log'), 'utf8').trim().split('\n');

test("the document's example works unchanged, with replacements for the formatters", async () => {
  execFileSync('git', ['init', '-q'], { cwd: directory });
  execFileSync('git', ['config', 'user.name', 'Somebody'], { cwd: directory });
  execFileSync('git', ['config', 'user.email', 'somebody@example.org'], { cwd: directory });
  const hooks = configHooks(
    {
      experimental: {
        hook: {
          file_edited: {
            '*.ts': [{ command: log(0, 'format', '{file}'), environment: { NODE_ENV: 'development' } }],
            '*.tsx': [{ command: log(0, 'eslint', '{file}') }],
            '*.py': [{ command: log(150, 'black', '{file}') }, { command: log(0, 'isort', '{file}') }],
            '*.go': [{ command: log(0, 'gofmt', '{file}') }],
          },
          session_completed: [
            { command: ['git', 'add', '.'], environment: { GIT_AUTHOR_NAME: 'OpenCode' } },
            { command: ['git', 'commit', '-q', '-m', 'Auto-commit from OpenCode session'] },
          ],
        },
      },
    },
    { directory },
  );
  expect(hooks.problems).toEqual([]);
  const edited = await Promise.all([
    hooks.fileEdited('a.py'),
    hooks.fileEdited('src/b.ts'),
    hooks.fileEdited('c.rs'),
  ]);
  expect(edited.map((runs) => runs.length)).toEqual([2, 1, 0]);
  expect(logged()).toEqual([
    `black ${directory}/a.py -`,
    `isort ${directory}/a.py -`,
    `format ${directory}/src/b.ts development`,
  ]);
  const runs = await hooks.sessionCompleted();
  expect(runs.map(({ answer }) => answer?.failed)).toEqual([undefined, undefined]);
  const committed = execFileSync('git', ['log', '--format=%s', '--name-only'], {
    cwd: directory,
    encoding: 'utf8',
  });
  expect(committed.trim().split('\n')).toEqual(['Auto-commit from OpenCode session', '', 'log']);
});

test('an exit code and a missing program are recorded, and the next commands run', async () => {
  const command = (...argv: string[]) => ({ command: argv });
  const hooks = configHooks(
    {
      session_completed: [
        command(...node('process.exit(3)')),
        command('no-such-program-here'),
        command(...log(0, 'after')),
      ],
    },
    { directory },
  );
  const runs = await hooks.sessionCompleted();
  expect(runs.map(({ answer }) => answer?.failed?.kind)).toEqual(['failed', 'not-started', undefined]);
  expect(runs[0]).toMatchObject({ answer: { failed: { detail: 'exit code 3' } }, failedOpen: true });
  expect(logged()).toEqual(['after -']);
});

test('the environment is merged into the inherited one, which is needed to find programs', async () => {
  const hooks = configHooks(
    { session_completed: [{ command: ['node', '-e', LOG, '0', 'x'], environment: { NODE_ENV: 'e' } }] },
    { directory },
  );
  await hooks.sessionCompleted();
  expect(logged()).toEqual(['x e']);
});

test.each([
  'a b.ts',
  '$(touch pwned).ts',
  '`touch pwned`.ts',
  "it's; touch pwned #.ts",
  '$&.ts',
  '{file}.ts',
  '$FILE.ts',
  '-rf.ts',
])('a file called %j is one literal argument', async (name) => {
  const script = `require('fs').writeFileSync('args.json', JSON.stringify(process.argv.slice(1)))`;
  const hooks = configHooks(
    { file_edited: { '*.ts': [{ command: node(script, '{file}', 'x{file}y') }] } },
    { directory },
  );
  const [run] = await hooks.fileEdited(name);
  expect(run?.answer?.failed).toBeUndefined();
  const file = join(directory, name);
  expect(JSON.parse(readFileSync(join(directory, 'args.json'), 'utf8'))).toEqual([file, `x${file}y`]);
});

test('a shell only runs if the command names one, with the file as its argument', async () => {
  const hooks = configHooks(
    { file_edited: { '*': [{ command: ['sh', '-c', 'printf %s "$1" > out', 'sh', '{file}'] }] } },
    { directory },
  );
  expect(hooks.problems).toEqual([]);
  await hooks.fileEdited('$(x).ts');
  expect(readFileSync(join(directory, 'out'), 'utf8')).toBe(join(directory, '$(x).ts'));
});

test('a second completion waits for commands of the first and of edits', async () => {
  const hooks = configHooks(
    {
      file_edited: { '*': [{ command: log(200, 'edit') }] },
      session_completed: [{ command: log(100, 'add') }, { command: log(0, 'commit') }],
    },
    { directory },
  );
  await Promise.all([hooks.fileEdited('a'), hooks.sessionCompleted(), hooks.sessionCompleted()]);
  expect(logged()).toEqual(['edit -', 'add -', 'commit -', 'add -', 'commit -']);
});

test('commands run in the project, and a pattern with a slash is tested on the path below it', async () => {
  mkdirSync(join(directory, 'src'));
  const hooks = configHooks(
    {
      file_edited: {
        'src/**/*.py': [{ command: node(`require('fs').writeFileSync('cwd', process.cwd())`) }],
      },
    },
    { directory },
  );
  expect(await hooks.fileEdited('lib/a.py')).toEqual([]);
  expect((await hooks.fileEdited('src/deep/a.py')).length).toBe(1);
  expect(realpathSync(readFileSync(join(directory, 'cwd'), 'utf8'))).toBe(directory);
});

test('a command that hangs is killed at its timeout', async () => {
  const hooks = configHooks(
    { session_completed: [{ command: node('setInterval(() => {}, 1000)') }, { command: log(0, 'next') }] },
    { directory, timeoutMs: 700 },
  );
  const [hung] = await hooks.sessionCompleted();
  expect(hung?.answer?.failed?.kind).toBe('timed-out');
  expect(logged()).toHaveLength(1);
});

describe('invalid settings', () => {
  test.each<[unknown, string]>([
    ['{', 'syntax'],
    [7, 'wrong-type'],
    [undefined, 'wrong-type'],
    [{ file_edit: {} }, 'unknown-event'],
    [{ session_completed: 'git add' }, 'wrong-type'],
  ])('%j is a problem, and nothing throws', async (settings, code) => {
    const hooks = configHooks(settings, { directory, file: 'x/opencode.json' });
    expect(hooks.problems[0]).toMatchObject({ code, file: 'x/opencode.json' });
    expect(await hooks.fileEdited('a.ts')).toEqual([]);
  });

  test('problems in the text of a file have line numbers', () => {
    writeFileSync(
      join(directory, 'opencode.jsonc'),
      '{\n  // mine\n  "experimental": { "hook": { "sesion_completed": [] } }\n}',
    );
    const { problems } = configHooks(readFileSync(join(directory, 'opencode.jsonc'), 'utf8'), { directory });
    expect(problems[0]).toMatchObject({ line: 3, column: 31, remedy: 'Did you mean "session_completed"?' });
  });
});
