/** Command hooks in real `opencode.json` files, global and in a project, run through `createHooks`. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../../../events/capabilities.ts';
import type { Options } from '../../../gather/options.ts';
import { createHooks } from '../../../library/create-hooks.ts';
import type { Hooks } from '../../../library/hooks.ts';
import { scratch } from './fixtures/scratch.ts';

const ground = scratch();
const open: Hooks[] = [];
afterAll(async () => {
  for (const hooks of open) await hooks.close();
  ground.remove();
});
/** Waits, then appends its words to a log in the project. */
const says = (waitMs: number, ...words: string[]) => [
  process.execPath,
  '-e',
  `setTimeout(() => require('fs').appendFileSync('log', process.argv.slice(1).join(' ') + '\\n'), ${waitMs})`,
  ...words,
];
const commands = (...list: string[][]) => list.map((command) => ({ command }));
const logOf = (name: string) => {
  const file = join(ground.root, name, 'project/log');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
const opened = async (name: string, more: Partial<Options> = {}): Promise<Hooks> => {
  ground.write(`${name}/home/.keep`, '');
  ground.write(`${name}/project/.keep`, '');
  const options: Options = {
    host: { name: 'test', can: EVERYTHING },
    home: join(ground.root, name, 'home'),
    cwd: join(ground.root, name, 'project'),
    journal: false,
    ...more,
  };
  const looked = await createHooks(options);
  const hashes = looked.examined.map(({ judgement }) => judgement.hash);
  await looked.close();
  const hooks = await createHooks({ ...options, trust: { hashes } });
  open.push(hooks);
  return hooks;
};
const edited = (file: string) => ({ name: 'file.edited', payload: { file }, ids: { session: 's' } }) as const;
const IDLE = { name: 'agent.idle', payload: {}, ids: { session: 's' } } as const;

describe('command hooks of opencode.json', { timeout: 60_000 }, () => {
  test('command hooks of both layers run in order after an edit, without blocking the agent', async () => {
    ground.write(
      'order/home/.config/opencode/opencode.json',
      JSON.stringify({
        experimental: {
          hook: {
            file_edited: { '*.py': commands(says(300, 'black', '{file}'), says(0, 'isort', '$FILE')) },
          },
        },
      }),
    );
    ground.write(
      'order/project/opencode.jsonc',
      `{ // of the project
         "experimental": { "hook": { "file_edited": { "src/**/*.py": ${JSON.stringify(commands(says(0, 'lint', '{file}')))}, } } } }`,
    );
    const hooks = await opened('order');
    expect(hooks.problems).toEqual([]);
    const file = join(ground.root, 'order/project/src/a.py');
    const outcome = await hooks.fire(edited(file));
    expect([outcome.verdict, logOf('order')]).toEqual(['none', '']);
    expect(outcome.runs.map(({ skipped }) => skipped)).toEqual(Array(3).fill('in the background'));
    await expect
      .poll(() => logOf('order'), { timeout: 20_000 })
      .toBe(`black ${file}\nisort ${file}\nlint ${file}\n`);
    await hooks.fire(edited(join(ground.root, 'order/project/other.txt')));
    await hooks.fire(edited(join(ground.root, 'order/project/top.py')));
    await expect.poll(() => logOf('order').split('\n').length, { timeout: 20_000 }).toBe(6);
    expect(logOf('order')).not.toContain('other.txt');
    expect(logOf('order')).not.toContain('lint top.py');
  });

  test('command hooks of a project do not run before they are trusted', async () => {
    ground.write('wait/home/.keep', '');
    ground.write(
      'wait/project/opencode.json',
      JSON.stringify({ experimental: { hook: { session_completed: commands(says(0, 'ran')) } } }),
    );
    const hooks = await createHooks({
      host: { name: 'test', can: EVERYTHING },
      home: join(ground.root, 'wait/home'),
      cwd: join(ground.root, 'wait/project'),
      journal: false,
    });
    open.push(hooks);
    const { runs } = await hooks.fire(IDLE);
    expect(runs.map(({ skipped }) => skipped)).toEqual(['not trusted']);
    expect(hooks.problems.map(({ code }) => code)).toEqual(['not-trusted']);
    expect(logOf('wait')).toBe('');
  });

  test('completion commands run once per idle agent, one run after another, and never for a subagent', async () => {
    ground.write(
      'idle/home/.config/opencode/opencode.json',
      JSON.stringify({
        experimental: {
          hook: {
            file_edited: { '.ts': commands(says(200, 'format')) },
            session_completed: commands(says(200, 'add'), says(0, 'commit')),
          },
        },
      }),
    );
    const late: string[] = [];
    const hooks = await opened('idle', {
      watch: { onLate: ({ answer }) => void late.push(answer!.failed?.kind ?? 'ok') },
    });
    await hooks.fire({ name: 'subagent.stop', payload: {}, ids: { session: 's', agent: 'a' } });
    await hooks.fire({ ...IDLE, ids: { session: 's', agent: 'a' } });
    await hooks.fire(edited('x.ts'));
    await Promise.all([hooks.fire(IDLE), hooks.fire(IDLE)]);
    const once = 'add\ncommit\n';
    await expect.poll(() => logOf('idle'), { timeout: 20_000 }).toBe(`format\n${once}${once}`);
    await expect.poll(() => late, { timeout: 20_000 }).toEqual(Array(5).fill('ok'));
  });

  test('running and queued commands finish after a host has closed', async () => {
    ground.write(
      'close/home/.config/opencode/opencode.json',
      JSON.stringify({
        experimental: { hook: { session_completed: commands(says(500, 'add'), says(0, 'commit')) } },
      }),
    );
    const hooks = await opened('close', {
      host: { name: 'test', can: EVERYTHING },
      env: { ...process.env },
    });
    await hooks.fire(IDLE);
    await hooks.close();
    expect(logOf('close')).toBe('');
    await expect.poll(() => logOf('close'), { timeout: 20_000 }).toBe('add\ncommit\n');
  });

  test('failing commands are recorded and stop nothing', async () => {
    ground.write(
      'fails/home/.config/opencode/opencode.json',
      JSON.stringify({
        experimental: {
          hook: {
            session_completed: commands(['sh', '-c', 'exit 3'], ['no-such-program'], says(0, 'after')),
          },
        },
      }),
    );
    const late: unknown[] = [];
    const hooks = await opened('fails', {
      watch: { onLate: ({ answer }) => void late.push(answer?.failed?.kind) },
    });
    expect((await hooks.fire(IDLE)).verdict).toBe('none');
    await expect.poll(() => late, { timeout: 20_000 }).toEqual(['failed', 'not-started', undefined]);
    expect(logOf('fails')).toBe('after\n');
  });
});

describe('an invalid settings file', () => {
  const problemsOf = async (name: string, text: string) => {
    const file = ground.write(`${name}/home/.config/opencode/opencode.json`, text);
    const { problems } = await opened(name);
    return problems.map((problem) => {
      expect(problem.file).toBe(file);
      return [
        problem.code,
        problem.line,
        problem.column,
        problem.key,
        `${problem.message} ${problem.remedy}`,
      ];
    });
  };
  const has = (text: string) => expect.stringContaining(text) as string;

  test('an invalid settings file is reported with location and suggestion, and the rest loads', async () => {
    const text = `{
  "experimental": { "hook": {
    "file_editd": { "*.ts": [{ "command": ["true"] }] },
    "session_completed": [
      { "command": "git add ." },
      { "command": ["true"], "environment": { "A": 1 } },
      { "comand": ["true"] },
      { "command": [] },
      { "command": ["true"] }
    ],
    "file_edited": { "*.go": [], "*.py": {} }
  } },
  "plugin": ["./missing.ts", "no-such-package", 42, ["a", 1]]
}`;
    expect(await problemsOf('wrong', text)).toEqual(
      expect.arrayContaining([
        ['unknown-event', 3, 5, 'experimental.hook.file_editd', has('file_edited')],
        ['wrong-type', 5, 20, has('session_completed[0].command'), has('["sh","-c","git add ."]')],
        ['wrong-type', 6, 52, has('environment.A'), has('1')],
        ['unknown-key', 7, 9, has('session_completed[2].comand'), has('command')],
        ['empty-list', 8, 20, has('session_completed[3].command'), has('')],
        ['empty-list', 11, 30, has('*.go'), has('empty list')],
        ['wrong-type', 11, 42, has('*.py'), has('list of commands')],
        ['file-unreadable', 13, undefined, undefined, has('missing.ts, which does not exist')],
        ['not-loaded', 13, undefined, 'plugin', has('no-such-package')],
        ['wrong-type', 13, 49, 'plugin[2]', has('42')],
        ['wrong-type', 13, 53, 'plugin[3]', has('options')],
      ]),
    );
    const hooks = open.at(-1)!;
    expect(hooks.hooks.filter(({ run }) => run.kind === 'command').length).toBe(1);
    expect((await hooks.fire(IDLE)).verdict).toBe('none');
  });

  test.each([
    ['is cut off', '{ "experimental": { "hook": {', 'syntax', 1],
    ['is a list', '[]', 'wrong-type', 1],
  ])('a settings file that %s is a problem with its location', async (name, text, code, line) => {
    expect(await problemsOf(`cut-${name}`, text)).toEqual(
      expect.arrayContaining([[code, line, expect.any(Number), undefined, expect.any(String)]]),
    );
  });

  test('a folder as a settings file, or an empty plugin folder, is a problem and nothing throws', async () => {
    ground.write('folder/home/.config/opencode/opencode.json/x', '');
    ground.write('folder/home/.config/opencode/opencode.jsonc', '{ "plugin": ["./empty"] }');
    ground.write('folder/home/.config/opencode/empty/readme.txt', '');
    const { problems } = await opened('folder');
    const folder = join(ground.root, 'folder/home/.config/opencode');
    expect(problems.map(({ file, message }) => [file, message])).toEqual(
      expect.arrayContaining([
        [join(folder, 'opencode.json'), expect.any(String)],
        [join(folder, 'opencode.jsonc'), has('has no entry point')],
      ]),
    );
  });

  test('a plugin hook with a misspelt name is reported with the right one, and the others work', async () => {
    const file = ground.write(
      'misspelt/home/.config/opencode/plugin/p.ts',
      `export default async () => ({ 'tool.execute.befor': () => {}, 'permission.ask': 42, 'tool.execute.before': () => { throw new Error('heard'); } });`,
    );
    const hooks = await opened('misspelt');
    expect(hooks.problems).toMatchObject([
      { file, code: 'unknown-key', key: 'tool.execute.befor', message: has('"tool.execute.before"') },
      { file, code: 'wrong-type', key: 'permission.ask', message: has('a function') },
    ]);
    const outcome = await hooks.fire({ name: 'tool.before', payload: { tool: 'shell', input: {} } });
    expect([outcome.verdict, outcome.reasons[0]?.text]).toEqual(['deny', has('heard')]);
  });
});
