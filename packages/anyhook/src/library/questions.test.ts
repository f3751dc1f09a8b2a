/** Who may answer a question of a hook: the user, or a hook that the user named as an approver. */

import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { allow, ask, deny } from '../events/effects.ts';
import type { Options } from '../gather/options.ts';
import { createHooks } from './create-hooks.ts';

const folder = () => realpathSync(mkdtempSync(join(tmpdir(), 'ah-')));
const host = { name: 'test', can: EVERYTHING };
const call = (command: string, session = 's1') => ({
  payload: { tool: 'shell', input: { command } },
  ids: { session },
});
const before = (command: string, session?: string) =>
  ({ name: 'tool.before', ...call(command, session) }) as const;
const permission = (command: string, session?: string) =>
  ({ name: 'tool.permission', ...call(command, session) }) as const;

const HOOKS: Options['hooks'] = {
  'tool.before': ({ payload }) =>
    String(payload.input['command']).includes('.env') ? ask('reads secrets') : undefined,
  'tool.permission': { name: 'always-yes', run: () => allow() },
};
const open = (over: Partial<Options> = {}) =>
  createHooks({ host, settings: false, journal: false, home: folder(), hooks: HOOKS, ...over });

test("a hook's question is not answered by the allow of another hook", async () => {
  await using hooks = await open();
  expect((await hooks.fire(before('cat .env'))).proceed).toBe('ask');
  const { proceed, lost } = await hooks.fire(permission('cat .env'));
  expect(proceed).toBe('ask');
  expect(lost).toEqual([expect.stringContaining('only the user can answer it')]);
});

test('an allow still answers a question that only the host raised', async () => {
  await using hooks = await open();
  expect((await hooks.fire(before('ls'))).proceed).toBe('yes');
  expect((await hooks.fire(permission('ls'))).proceed).toBe('yes');
});

test('the question of one session does not concern the same call of another session', async () => {
  await using hooks = await open();
  await hooks.fire(before('cat .env', 'one'));
  expect((await hooks.fire(permission('cat .env', 'two'))).proceed).toBe('yes');
});

test('the hooks that the user names as approvers answer the questions of other hooks', async () => {
  await using hooks = await open();
  const id = hooks.hooks.find(({ on }) => on === 'tool.permission')!.id;
  await using named = await open({ trust: { approvers: [id] } });
  await named.fire(before('cat .env'));
  expect((await named.fire(permission('cat .env'))).proceed).toBe('yes');
});

test('an approver id without a hook is a problem that suggests the nearest id', async () => {
  await using hooks = await open({ trust: { approvers: ['nobody'] } });
  expect(hooks.problems.map(({ key, message }) => [key, message])).toEqual([
    ['approvers', 'unknown hook id "nobody", so it answers no questions.'],
  ]);
});

test('a question is remembered between two programs that keep their sessions in files', async () => {
  const home = folder();
  const once = async (event: ReturnType<typeof before | typeof permission>) => {
    await using hooks = await open({ sessionStore: 'file', home });
    return (await hooks.fire(event)).proceed;
  };
  expect([await once(before('cat .env')), await once(permission('cat .env'))]).toEqual(['ask', 'ask']);
  expect([await once(before('ls')), await once(permission('ls'))]).toEqual(['yes', 'yes']);
});

test('a question that cannot be recorded refuses the call', async () => {
  const home = folder();
  mkdirSync(join(home, '.local/state/anyhook'), { recursive: true });
  writeFileSync(join(home, '.local/state/anyhook/sessions'), '');
  await using hooks = await open({ sessionStore: 'file', home });
  const { proceed, reason } = await hooks.fire(before('cat .env'));
  expect([proceed, reason]).toEqual(['no', expect.stringContaining('could not be recorded')]);
});

test('a project cannot name approvers', async () => {
  const cwd = folder();
  mkdirSync(join(cwd, '.anyhook'));
  writeFileSync(join(cwd, '.anyhook/hooks.json'), JSON.stringify({ approvers: ['always-yes'], hooks: {} }));
  await using hooks = await open({ cwd, settings: {} });
  expect(hooks.problems.map(({ key }) => key)).toContain('approvers');
  await hooks.fire(before('cat .env'));
  expect((await hooks.fire(permission('cat .env'))).proceed).toBe('ask');
});

test('an allow of a hook does not skip the veto of a permission hook', async () => {
  const hooks: Options['hooks'] = {
    'tool.before': () => allow(),
    'tool.permission': ({ payload }) =>
      String(payload.input['command']).startsWith('dd') ? deny('no dd') : undefined,
  };
  await using opened = await open({ hooks });
  expect((await opened.fire(before('dd if=x'))).proceed).toBe('no');
  expect((await opened.fire(before('ls'))).proceed).toBe('yes');
});
