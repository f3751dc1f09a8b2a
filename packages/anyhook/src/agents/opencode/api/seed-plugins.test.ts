/** The three plugins of OpenCode's document, unchanged. */

import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { scratch } from './fixtures/scratch.ts';

const ground = scratch();
afterAll(ground.remove);
const seed = (name: string): string => fileURLToPath(new URL(`./fixtures/seed/${name}.ts`, import.meta.url));
const CALL = { sessionID: 'ses_1', callID: 'call_1' };

describe('the security plugin', () => {
  const said: string[] = [];
  const hear = (text: unknown) => void said.push(String(text));
  vi.spyOn(console, 'log').mockImplementation(hear);
  vi.spyOn(console, 'warn').mockImplementation(hear);
  afterEach(() => void said.splice(0));
  afterAll(() => vi.restoreAllMocks());
  const loading = ground.load([seed('security')]);

  test.each([
    ['rm -rf /', 'deny'],
    ['sudo rm  -rf /home', 'deny'],
    ['echo x > /dev/sda', 'deny'],
    ['mkfs.ext4 /dev/sdb1', 'deny'],
    ['dd if=/dev/zero of=x', 'deny'],
    ['ls -la', 'ask'],
  ])('the security plugin answers %j with %s', async (command, status) => {
    const plugins = await loading;
    const output = await plugins.trigger(
      'permission.ask',
      { ...CALL, id: 'per_1', type: 'bash', tool: 'bash', args: { command }, title: command, metadata: {} },
      { status: 'ask' },
    );
    expect(output).toEqual({ status });
    expect(said).toEqual(status === 'deny' ? [`Blocked dangerous command: ${command}`] : []);
  });

  test('the security plugin blocks writes to system folders, greets at the start and logs calls', async () => {
    const plugins = await loading;
    await plugins.init({});
    const write = (path: string) =>
      plugins.trigger('tool.execute.before', { ...CALL, tool: 'write' }, { args: { path, content: '' } });
    await expect(write('/etc/passwd')).rejects.toThrow(/^Cannot write to system directories$/);
    await expect(write('/usr/bin/env')).rejects.toThrow('Cannot write to system directories');
    expect(await write('/tmp/a')).toEqual({ args: { path: '/tmp/a', content: '' } });
    await plugins.trigger(
      'tool.execute.after',
      { ...CALL, tool: 'bash', args: {} },
      { title: '', output: '', metadata: {} },
    );
    expect(said).toEqual(['Security plugin initialized', '[AUDIT] Tool: bash, Call: call_1']);
    expect(plugins.problems).toEqual([]);
  });
});

test('the logging plugin writes exactly one line with time and message, whatever the message contains', async () => {
  mkdirSync(join(ground.root, '.opencode'));
  const plugins = await ground.load([seed('logging')]);
  const command = `echo "it's" $(id) \`id\` \\ $HOME *\n&& true`;
  await plugins.trigger('tool.execute.before', { ...CALL, tool: 'bash' }, { args: { command } });
  await plugins.trigger('chat.message', { sessionID: '"; rm -rf $HOME; "' }, { message: {}, parts: [] });
  await plugins.trigger(
    'tool.execute.after',
    { ...CALL, tool: 'bash' },
    { title: 'a\nb', output: '', metadata: {} },
  );
  const file = join(ground.root, '.opencode/audit.log');
  plugins.publish({ type: 'session.idle', properties: {} });
  const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z: /gm;
  await expect
    .poll(() => readFileSync(file, 'utf8').replaceAll(TIME, '<time> '))
    .toBe(
      [
        `<time> Tool bash starting with args: ${JSON.stringify({ command })}`,
        '<time> Message received in session "; rm -rf $HOME; "',
        '<time> Tool bash completed: a',
        'b',
        '<time> Event: session.idle',
        '',
      ].join('\n'),
    );
  expect(plugins.problems).toEqual([]);
});

test('the formatter plugin runs only the formatter of the edited file', async () => {
  const bin = join(ground.root, 'bin');
  for (const name of ['bunx', 'black', 'gofmt'])
    chmodSync(
      ground.write(
        `bin/${name}`,
        `#!/bin/sh\nprintf '%s|' ${name} "$@" >> "${bin}/ran"\necho >> "${bin}/ran"\n`,
      ),
      0o755,
    );
  const plugins = await ground.load([seed('formatter')], {
    env: { ...process.env, PATH: `${bin}:${process.env['PATH']}` },
  });
  const after = (tool: string, path?: string) =>
    plugins.trigger(
      'tool.execute.after',
      { ...CALL, tool, args: {} },
      { title: '', output: '', metadata: { path } },
    );
  await after('edit', '/p/a b.ts');
  await after('write', '/p/$(id).py');
  await after('edit', '/p/main.go');
  await after('read', '/p/other.ts');
  await after('edit');
  expect(readFileSync(join(bin, 'ran'), 'utf8').split('\n')).toEqual([
    'bunx|prettier|--write|/p/a b.ts|',
    'black|/p/$(id).py|',
    'gofmt|-w|/p/main.go|',
    '',
  ]);
});
