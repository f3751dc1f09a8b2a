import { expect, test } from 'vitest';
import { ask, defineHook, deny } from '../index.ts';
import { ground, USER } from '../library/fixtures/ground.ts';
import { isAllowed } from './allowed.ts';

const ALLOW = [{ command: 'npm test' }, { command: 'make', project: '/p/a' }];
const judged = (command: unknown, folder = '/p', more: object = {}, tool = 'shell') =>
  isAllowed(ALLOW, { tool, input: { command, ...more } }, folder);

test.each([
  ['npm test', '/p'],
  ['npm  "test"', '/p'],
  ['make', '/p/a'],
  ['make', '/p/a/b'],
])('%s is allowed in %s', (command, folder) => {
  expect(judged(command, folder)).toBe(true);
});

test.each([
  ['make', '/p'],
  ['make', '/p/ab'],
  ['make', 'a'],
  ['npm test x', '/p'],
  ['npm', '/p'],
  ['npm test; rm -rf /', '/p'],
  ['npm test && x', '/p'],
  ['npm test > x', '/p'],
  ['X=1 npm test', '/p'],
  ['npm $(x)', '/p'],
  ['', '/p'],
  [5, '/p'],
])('%j is not allowed in %s', (command, folder) => {
  expect(judged(command, folder)).toBe(false);
});

test('other arguments and other tools are not allowed', () => {
  expect(judged('npm test', '/p', { description: 'Run tests' })).toBe(true);
  expect(judged('npm test', '/p', { cwd: '/evil' })).toBe(false);
  expect(judged('npm test', '/p', {}, 'mcp__x__run')).toBe(false);
});

const asking = defineHook({ on: 'tool.before', run: () => ask('sure?') });
const call = (command: string) =>
  ({ name: 'tool.before', payload: { tool: 'shell', input: { command } }, ids: { session: 's' } }) as const;

test('an allowed command is not asked about, and a hook that refuses it still refuses', async () => {
  const allow = { approvals: { allow: [{ command: 'npm test' }] } };
  const hooks = await ground({ [USER]: allow }).open({ hooks: [asking], approvals: true });
  expect((await hooks.fire(call('npm test'))).verdict).toBe('allow');
  expect((await hooks.fire(call('npm test x'))).verdict).toBe('ask');
  const strict = await ground({ [USER]: allow }).open({
    hooks: [asking, defineHook({ on: 'tool.before', run: () => deny('never') })],
    approvals: true,
  });
  expect((await strict.fire(call('npm test'))).verdict).toBe('deny');
});

test('a project cannot allow commands', async () => {
  const at = ground({ 'project/.anyhook/hooks.json': { approvals: { allow: [{ command: 'npm test' }] } } });
  const hooks = await at.open({ hooks: [asking], approvals: true, trust: { folders: [at.cwd] } });
  expect((await hooks.fire(call('npm test'))).verdict).toBe('ask');
});
