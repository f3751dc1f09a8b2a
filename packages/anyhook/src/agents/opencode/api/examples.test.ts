/** The plugins and settings in `examples/opencode`, unchanged. */

import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configHooks } from './config-hooks.ts';
import { scratch } from './fixtures/scratch.ts';

const EXAMPLES = fileURLToPath(new URL('../../../../../../examples/opencode/', import.meta.url));
const ground = scratch();
afterAll(ground.remove);
const ran = () => {
  const file = join(ground.root, 'ran');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};
/** Replacements for programs that may be missing: each logs its arguments. */
beforeAll(() => {
  for (const name of ['black', 'isort', 'gofmt', 'npx'])
    chmodSync(ground.write(`bin/${name}`, `#!/bin/sh\necho ${name} "$@" >> '${ground.root}/ran'\n`), 0o755);
});
const env = () => ({ ...process.env, PATH: `${join(ground.root, 'bin')}:${process.env['PATH']}` });
const load = (name: string) => ground.load([join(EXAMPLES, name)], { env: env() });
const CALL = { sessionID: 's', callID: 'c' };

test('security.ts refuses destructive commands and writes to system folders, and lets the rest pass', async () => {
  const plugins = await load('security.ts');
  expect(plugins.problems).toEqual([]);
  const asked = async (command: string) => {
    const input = { type: 'bash', tool: 'bash', metadata: { command }, args: { command }, ...CALL };
    return (await plugins.trigger('permission.ask', input, { status: 'ask' })).status;
  };
  expect([await asked('sudo rm -rf /'), await asked('mkfs.ext4 /dev/sda'), await asked('ls')]).toEqual([
    'deny',
    'deny',
    'ask',
  ]);
  const write = (path: string) =>
    plugins.trigger('tool.execute.before', { tool: 'write', ...CALL }, { args: { path } });
  await expect(write('/etc/hosts')).rejects.toThrow('Cannot write to system directories');
  expect(await write('src/a.ts')).toEqual({ args: { path: 'src/a.ts' } });
});

test('audit-log.ts writes exactly one line per event, whatever it contains', async () => {
  const plugins = await load('audit-log.ts');
  expect(plugins.problems).toEqual([]);
  const args = { command: 'echo "$(id)" `id` \'x\'' };
  await plugins.trigger('chat.message', { sessionID: 's' }, { message: {}, parts: [] });
  await plugins.trigger('tool.execute.before', { tool: 'bash', ...CALL }, { args });
  await plugins.trigger(
    'tool.execute.after',
    { tool: 'bash', ...CALL, args },
    { title: 'id', output: '', metadata: {} },
  );
  const lines = readFileSync(join(ground.root, '.opencode/audit.log'), 'utf8').trim().split('\n');
  expect(lines.map((line) => line.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z: /, ''))).toEqual([
    'prompt in session s',
    `bash starts with ${JSON.stringify(args)}`,
    'bash is done: id',
  ]);
});

test('formatter.ts runs only the formatter of the written file', async () => {
  const plugins = await load('formatter.ts');
  expect(plugins.problems).toEqual([]);
  const done = (tool: string, path: string) =>
    plugins.trigger(
      'tool.execute.after',
      { tool, ...CALL, args: {} },
      { title: '', output: '', metadata: { path } },
    );
  for (const [tool, path] of [
    ['write', 'a b.py'],
    ['edit', 'c.ts'],
    ['edit', 'd.go'],
    ['read', 'e.py'],
    ['write', 'f.txt'],
  ] as const)
    await done(tool, path);
  expect(ran()).toEqual(['black a b.py', 'npx prettier --write c.ts', 'gofmt -w d.go']);
});

describe('opencode.json', () => {
  test('the example opencode.json formats in order and commits when the agent is done', async () => {
    const directory = join(ground.root, 'project');
    mkdirSync(join(directory, 'src'), { recursive: true });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: directory, encoding: 'utf8' });
    git('init', '-q');
    git('config', 'user.name', 'Somebody');
    git('config', 'user.email', 'somebody@example.org');
    copyFileSync(join(EXAMPLES, 'opencode.json'), join(directory, 'opencode.json'));
    const before = ran().length;
    const { PATH } = process.env;
    process.env['PATH'] = env().PATH;
    try {
      const hooks = configHooks(readFileSync(join(directory, 'opencode.json'), 'utf8'), { directory });
      expect(hooks.problems).toEqual([]);
      await hooks.fileEdited('a.py');
      await hooks.fileEdited('src/deep/b.ts');
      await hooks.fileEdited('b.ts');
      await hooks.sessionCompleted();
    } finally {
      process.env['PATH'] = PATH;
    }
    expect(ran().slice(before)).toEqual([
      `black ${directory}/a.py`,
      `isort ${directory}/a.py`,
      `npx prettier --write ${directory}/src/deep/b.ts`,
    ]);
    expect(git('log', '--format=%s').trim()).toBe('Auto-commit from OpenCode session');
  });
});
