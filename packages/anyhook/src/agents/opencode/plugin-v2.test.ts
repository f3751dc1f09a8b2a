/** A host with the plugin context of OpenCode 2, as its published sources describe it. No real OpenCode 2 was run. */

import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { open } from '../../in-process/open.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'opencode-2-')));
  mkdirSync(join(root, '.config/anyhook'), { recursive: true });
  mkdirSync(join(root, 'project'));
  vi.stubEnv('HOME', root);
  for (const name of ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME']) vi.stubEnv(name, '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

type Fields = Record<string, unknown>;
const effects = (...list: readonly object[]): string => `echo '${JSON.stringify({ effects: list })}'`;

/** Calls every hook that a plugin registers, on one mutable event. */
async function host(hooks: object, busEvents: readonly object[] = []) {
  writeFileSync(join(root, '.config/anyhook/hooks.json'), JSON.stringify({ hooks }));
  const callbacks = new Map<string, (event: Fields) => Promise<void>>();
  const domain = (name: string) => ({
    hook: async (word: string, callback: (event: Fields) => Promise<void>) => {
      callbacks.set(`${name} ${word}`, callback);
      return { dispose: async () => {} };
    },
  });
  let taken = () => {};
  const allTaken = new Promise<void>((resolve) => (taken = resolve));
  const cleanUp = (await open('opencode', {
    tool: domain('tool'),
    session: domain('session'),
    shell: domain('shell'),
    location: { directory: join(root, 'project') },
    app: { name: 'opencode', version: '2.0.16', channel: 'latest' },
    event: {
      async *subscribe() {
        yield* busEvents;
        taken();
      },
    },
  })) as () => Promise<void>;
  return {
    cleanUp,
    allTaken,
    async call<E extends Fields>(word: string, event: E): Promise<E> {
      await callbacks.get(word)!(event);
      return event;
    },
  };
}
const shell = (command: string) => ({
  tool: 'shell',
  sessionID: 's',
  id: 'c',
  agent: 'build',
  input: { command },
});

test('a guard on the shell refuses a call of OpenCode 2 and lets others pass unchanged', async () => {
  const { call, cleanUp } = await host({
    'tool.before': [{ match: 'shell(rm *)', run: 'echo not this >&2; exit 2' }],
  });
  await expect(call('tool execute.before', shell('rm -r x'))).rejects.toThrow('not this');
  expect(await call('tool execute.before', shell('ls'))).toEqual(shell('ls'));
  await cleanUp();
});

test('a guard on tasks refuses the subagent tool of OpenCode 2', async () => {
  const { call, cleanUp } = await host({
    'tool.before': [{ match: 'task', run: 'echo no subagents >&2; exit 2' }],
  });
  const input = { agent: 'general', description: 'd', prompt: 'p' };
  await expect(call('tool execute.before', { tool: 'subagent', sessionID: 's', input })).rejects.toThrow(
    'no subagents',
  );
  await cleanUp();
});

test('a hook rewrites a call of OpenCode 2 under the names that the call uses', async () => {
  const { call, cleanUp } = await host({
    'tool.before': [
      { match: 'shell', run: effects({ kind: 'set', at: ['input', 'command'], to: 'echo safe' }) },
      { match: 'write', run: effects({ kind: 'set', at: ['input', 'path'], to: 'b.txt' }) },
    ],
  });
  const changed = await call('tool execute.before', shell('ls'));
  expect(changed.input).toEqual({ command: 'echo safe' });
  const written = await call('tool execute.before', {
    tool: 'write',
    sessionID: 's',
    input: { path: 'a.txt', content: 'x' },
  });
  expect(written.input).toEqual({ path: 'b.txt', content: 'x' });
  await cleanUp();
});

test('a changed result of OpenCode 2 replaces the text and drops the structured output', async () => {
  const { call, cleanUp } = await host({
    'tool.after': [
      { run: effects({ kind: 'set', at: ['content'], to: [{ type: 'text', text: 'hidden' }] }) },
    ],
  });
  const result = { output: { secret: 'k' }, content: [{ type: 'text', text: 'k' }], metadata: { exit: 0 } };
  const event = await call('tool execute.after', { ...shell('env'), status: 'completed', result });
  expect(event.result).toEqual({ content: [{ type: 'text', text: 'hidden' }], metadata: { exit: 0 } });
  await cleanUp();
});

test('an unchanged or failed result of OpenCode 2 stays the same object', async () => {
  const { call, cleanUp } = await host({ 'tool.after': [{ run: 'true' }] });
  const result = { output: { n: 1 }, content: [{ type: 'text', text: 'k' }] };
  const event = await call('tool execute.after', { ...shell('env'), status: 'completed', result });
  expect(event.result).toBe(result);
  const failed = { ...shell('env'), status: 'error', error: { message: 'm' } };
  expect(await call('tool execute.after', failed)).toEqual(failed);
  await cleanUp();
});

test('a prompt of OpenCode 2 is refused, or gets the context of hooks', async () => {
  const { call, cleanUp } = await host({
    'prompt.submit': [{ run: effects({ kind: 'context', text: 'mind the gap' }) }],
  });
  const event = await call('session prompt', {
    sessionID: 's',
    messageID: 'm',
    prompt: { text: 'hello', files: [] },
  });
  expect(event.prompt).toEqual({ text: 'hello\nmind the gap', files: [] });
  await cleanUp();
  const refusing = await host({ 'prompt.submit': [{ run: 'echo no prompts >&2; exit 2' }] });
  await expect(
    refusing.call('session prompt', { sessionID: 's', messageID: 'm', prompt: { text: 'hello' } }),
  ).rejects.toThrow('no prompts');
  await refusing.cleanUp();
});

test('the system prompt of OpenCode 2 is changed part by part', async () => {
  const { call, cleanUp } = await host({
    'model.system': [{ run: effects({ kind: 'set', at: ['system'], to: ['one', 'three'] }) }],
  });
  const one = { type: 'text', text: 'one', cache: true };
  const event = await call('session context', {
    sessionID: 's',
    system: [one, { type: 'text', text: 'two' }],
  });
  expect(event.system).toEqual([one, { type: 'text', text: 'three' }]);
  await cleanUp();
});

test('a compaction of OpenCode 2 gets the texts of hooks as system parts', async () => {
  const { call, cleanUp } = await host({
    'compaction.prompt': [{ run: effects({ kind: 'set', at: ['context'], to: ['keep the plan'] }) }],
  });
  const base = { type: 'text', text: 'base' };
  const event = await call('session compaction', { sessionID: 's', system: [base] });
  expect(event.system).toEqual([base, { type: 'text', text: 'keep the plan' }]);
  await cleanUp();
});

const VARIABLE = {
  'session.start': [{ run: effects({ kind: 'give', what: 'environment', value: { TICKET: '7' } }) }],
};
const create = () => ({ command: 'env', cwd: join(root, 'project'), env: { PATH: '/bin' } });

test('variables that a hook sets at the start of a session reach its shells in OpenCode 2', async () => {
  const created = { type: 'session.created', data: { sessionID: 's', info: { id: 's' } } };
  const { call, cleanUp, allTaken } = await host(VARIABLE, [created]);
  await allTaken;
  await call('tool execute.before', shell('env'));
  expect((await call('shell create.before', create())).env).toEqual({ PATH: '/bin', TICKET: '7' });
  await cleanUp();
});

test('the first session of OpenCode 2 starts with its prompt if the plugin missed its event', async () => {
  const { call, cleanUp } = await host(VARIABLE);
  await call('session prompt', { sessionID: 's', messageID: 'm', prompt: { text: 'hello' } });
  await call('tool execute.before', shell('env'));
  expect((await call('shell create.before', create())).env).toEqual({ PATH: '/bin', TICKET: '7' });
  await cleanUp();
});

test('a call records the version that OpenCode 2 reveals', async () => {
  const { call, cleanUp } = await host({});
  await call('tool execute.before', shell('ls'));
  await cleanUp();
  expect(readdirSync(join(root, '.local/state/anyhook/bridge-calls'))).toEqual(['opencode@2.0.16']);
});
