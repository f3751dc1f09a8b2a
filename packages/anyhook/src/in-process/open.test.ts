/** Runs the file that `install` writes inside each agent that loads one, with real hooks and the agent's own calls. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AGENT_NAMES, AGENTS } from '../agents/index.ts';
import { open } from './open.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'inside-')));
  mkdirSync(join(root, '.config/anyhook'), { recursive: true });
  mkdirSync(join(root, 'project'));
  vi.stubEnv('HOME', root);
  for (const name of ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME']) vi.stubEnv(name, '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const say = (effect: object): string => `echo '${JSON.stringify({ effects: [effect] })}'`;
const settle = (hooks: object) =>
  writeFileSync(join(root, '.config/anyhook/hooks.json'), JSON.stringify({ hooks }));
const GUARD = { match: 'shell(rm *)', run: 'echo not this >&2; exit 2' };

interface Plugin {
  'tool.execute.before'(input: object, output: object): Promise<void>;
  dispose(): Promise<void>;
}
test('the OpenCode plugin throws for a refused call and leaves others unchanged', async () => {
  settle({ 'tool.before': [GUARD] });
  const plugin = (await open('opencode', { directory: join(root, 'project') })) as Plugin;
  const call = async (command: string) => {
    const output = { args: { command } };
    await plugin['tool.execute.before']({ tool: 'bash', sessionID: 's', callID: 'c' }, output);
    return output;
  };
  await expect(call('rm -r x')).rejects.toThrow('not this');
  expect(await call('ls')).toEqual({ args: { command: 'ls' } });
  await plugin.dispose();
});

test('an effect that the agent lacks is refused if installed so, and lost otherwise', async () => {
  settle({ 'tool.before': [{ run: say({ kind: 'context', text: 'mind the gap' }) }] });
  const call = async (how: { strict?: true }) => {
    const plugin = (await open('opencode', { directory: join(root, 'project') }, how)) as Plugin;
    try {
      await plugin['tool.execute.before']({ tool: 'bash', sessionID: 's' }, { args: { command: 'ls' } });
      return 'ran';
    } catch (error) {
      return (error as Error).message;
    } finally {
      await plugin.dispose();
    }
  };
  expect(await call({})).toBe('ran');
  expect(await call({ strict: true })).toMatch(/^this agent cannot do what hooks ask for: context/);
});

test('OpenCode shells get the variables that hooks set at the start of their own session only', async () => {
  settle({ 'session.start': [{ run: say({ kind: 'give', what: 'environment', value: { NAME: 'Ada' } }) }] });
  const plugin = (await open('opencode', { directory: join(root, 'project') })) as Plugin & {
    event(input: object): Promise<void>;
    'shell.env'(input: object, output: object): Promise<void>;
  };
  await plugin.event({ event: { type: 'session.created', properties: { info: { id: 's' } } } });
  const shellOf = async (sessionID: string) => {
    const output = { env: { PATH: '/bin' } };
    await plugin['shell.env']({ cwd: root, sessionID }, output);
    return output.env;
  };
  expect(await shellOf('s')).toEqual({ PATH: '/bin', NAME: 'Ada' });
  expect(await shellOf('another')).toEqual({ PATH: '/bin' });
  await plugin.dispose();
});

type Listener = (event: object, context: object) => Promise<unknown>;
/** Loads the extension of pi or oh-my-pi and returns a function that calls its handlers by event name. */
async function extended(name: 'pi' | 'oh-my-pi'): Promise<(word: string, event: object) => Promise<unknown>> {
  const listeners = new Map<string, Listener>();
  await open(name, { on: (word: string, listener: Listener) => listeners.set(word, listener) });
  const context = { cwd: join(root, 'project'), sessionManager: { getSessionId: () => 's' } };
  return async (word, event) => listeners.get(word)?.({ type: word, ...event }, context);
}

describe.each([
  [
    'pi',
    'agent_before_settle',
    { entries: [{ type: 'custom_message', customType: 'anyhook', content: 'one more', display: true }] },
  ],
  ['oh-my-pi', 'session_stop', { additionalContext: 'one more' }],
] as const)('the extension of %s', (name, stop, more) => {
  test('the extension refuses a call, changes another, and resumes the agent when a hook requires it', async () => {
    settle({
      'tool.before': [
        GUARD,
        { match: 'shell(ls*)', run: say({ kind: 'set', at: ['input', 'command'], to: 'ls -l' }) },
      ],
      'turn.stop': [{ run: say({ kind: 'resume', reason: 'one more' }) }],
    });
    const fire = await extended(name);
    const call = (command: string) => ({ toolName: 'bash', toolCallId: 'c', input: { command } });
    expect(await fire('tool_call', call('rm -r x'))).toEqual({ block: true, reason: 'not this' });
    const changed = call('ls');
    expect(await fire('tool_call', changed)).toBeUndefined();
    expect(changed.input).toEqual({ command: 'ls -l' });
    expect(await fire(stop, {})).toEqual({ continue: true, ...more });
    await fire('session_shutdown', {});
  });
});

test('hooks that oh-my-pi runs by itself do not run again there, but do in pi', async () => {
  mkdirSync(join(root, '.omp/agent/hooks/pre'), { recursive: true });
  const guard = "export default (pi) => pi.on('tool_call', () => ({ block: true, reason: 'theirs' }));\n";
  writeFileSync(join(root, '.omp/agent/hooks/pre/guard.mjs'), guard);
  const answers: unknown[] = [];
  for (const name of ['pi', 'oh-my-pi'] as const) {
    const fire = await extended(name);
    answers.push(await fire('tool_call', { toolName: 'bash', toolCallId: 'c', input: { command: 'ls' } }));
    await fire('session_shutdown', {});
  }
  expect(answers).toEqual([{ block: true, reason: 'theirs' }, undefined]);
});

test('an agent that loads no module of ours is rejected by name', async () => {
  for (const name of [...AGENT_NAMES.filter((one) => AGENTS[one].inside === null), 'nobody'])
    await expect(open(name, {})).rejects.toThrow(`no agent called "${name}" loads anyhook as a module`);
});
