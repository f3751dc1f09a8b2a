/** The firing points of section 3, in a loop like the one in section 1. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { read, scratch } from './fixtures/scratch.ts';
import {
  createHookManager,
  fireCompact,
  fireError,
  firePromptPre,
  fireSessionEnd,
  fireSessionStart,
  fireStop,
  fireToolPost,
  fireToolPre,
  fireTurnDone,
  type HookDefinition,
  type HookEvent,
  type HookManager,
  NoOpHookManager,
  OptaConfigSchema,
  type OptaSession,
} from './index.ts';

type Turn =
  | { readonly tool: string; readonly args: object }
  | { readonly compacts: true }
  | { readonly throws: string }
  | { readonly says: string };

/** A small agent with scripted model turns, real tools and a real history. */
async function runAgent(turns: readonly Turn[], manager: HookManager, session: OptaSession) {
  let history: string[] = ['system'];
  const keep = () => writeFileSync(join(session.cwd, 'history'), history.join('\n'));
  await fireSessionStart(manager, session);
  try {
    for (const [index, turn] of turns.entries()) {
      if ('throws' in turn) throw new Error(turn.throws);
      if ('says' in turn) {
        history.push(turn.says);
        await fireTurnDone(manager, session, index);
      } else if ('compacts' in turn) {
        history = ['summary'];
        keep();
        await fireCompact(manager, session);
      } else {
        const args = JSON.stringify(turn.args);
        const pre = await fireToolPre(manager, turn.tool, args, session);
        if (pre.cancelled) {
          history.push(`[blocked] ${pre.reason}`);
          continue;
        }
        writeFileSync(join(session.cwd, 'tool-ran'), turn.tool);
        history.push(`result of ${turn.tool}`);
        await fireToolPost(manager, turn.tool, args, `result of ${turn.tool}`, session);
      }
      keep();
    }
  } catch (error) {
    await fireError(manager, (error as Error).message, session);
    throw error;
  } finally {
    await fireSessionEnd(manager, session);
  }
  return history;
}

const LOGS = 'echo "$OPTA_EVENT${OPTA_TOOL_NAME:+ $OPTA_TOOL_NAME}${OPTA_ERROR:+ $OPTA_ERROR}" >> log';
const logging = (...events: readonly HookEvent[]): HookDefinition[] =>
  events.map((event) => ({ event, command: LOGS }));
const EVERY = [
  'session.start',
  'tool.pre',
  'tool.post',
  'compact',
  'turn.done',
  'error',
  'session.end',
] as const;

describe("an agent's loop", () => {
  test('the loop fires in the order of the diagram, and a blocked tool does not run but sends the reason to the model', async () => {
    const cwd = scratch();
    const manager = createHookManager({
      hooks: [
        ...logging(...EVERY),
        { event: 'tool.pre', matcher: 'run_command', command: 'echo "no shell" >&2; exit 1' },
      ],
    });
    const turns: Turn[] = [
      { tool: 'edit_file', args: { path: 'a.ts' } },
      { tool: 'run_command', args: { command: 'rm -rf /' } },
      { says: 'done' },
    ];
    const history = await runAgent(turns, manager, { sessionId: 's', cwd, model: 'm' });
    expect(read(cwd, 'log').split('\n')).toEqual([
      'session.start',
      'tool.pre edit_file',
      'tool.post edit_file',
      'tool.pre run_command',
      'turn.done',
      'session.end',
      '',
    ]);
    expect(history).toEqual(['system', 'result of edit_file', '[blocked] no shell', 'done']);
    expect(read(cwd, 'tool-ran')).toBe('edit_file');
  });

  test('compact fires after the history was replaced', async () => {
    const cwd = scratch();
    const manager = createHookManager({
      hooks: [
        { event: 'tool.post', command: 'cp history seen-after-tool 2>/dev/null; true' },
        { event: 'compact', command: 'cp history seen-by-compact' },
      ],
    });
    await runAgent([{ says: 'hello' }, { tool: 'x', args: {} }, { compacts: true }], manager, {
      sessionId: 's',
      cwd,
    });
    expect([read(cwd, 'seen-after-tool'), read(cwd, 'seen-by-compact')]).toEqual([
      'system\nhello',
      'summary',
    ]);
  });

  test('an error fires error with its message, then session.end, and is rethrown', async () => {
    const cwd = scratch();
    const manager = createHookManager({ hooks: logging(...EVERY) });
    const turns: Turn[] = [{ tool: 'x', args: {} }, { throws: 'model gone' }];
    await expect(runAgent(turns, manager, { sessionId: 's', cwd })).rejects.toThrow('model gone');
    expect(read(cwd, 'log').trim().split('\n').slice(-2)).toEqual(['error model gone', 'session.end']);
  });
});

describe('the helpers', () => {
  const session: OptaSession = { sessionId: 'sid', cwd: scratch(), model: 'mod' };
  const told = async (
    event: HookEvent,
    fire: (manager: HookManager, of: OptaSession) => Promise<unknown>,
  ) => {
    const cwd = scratch();
    await fire(createHookManager({ hooks: [{ event, command: 'cat > told' }] }), { ...session, cwd });
    const { cwd: where, ...rest } = JSON.parse(read(cwd, 'told'));
    return where === cwd && rest;
  };
  const always = { session_id: 'sid', model: 'mod' };

  test('each helper fires its event with the session in the context', async () => {
    const call = { tool_name: 't', tool_args: '{"a":1}' };
    expect({
      start: await told('session.start', fireSessionStart),
      end: await told('session.end', fireSessionEnd),
      pre: await told('tool.pre', (m, s) => fireToolPre(m, 't', '{"a":1}', s)),
      post: await told('tool.post', (m, s) => fireToolPost(m, 't', '{"a":1}', 'ok', s)),
      compact: await told('compact', fireCompact),
      error: await told('error', (m, s) => fireError(m, 'bad', s)),
      done: await told('turn.done', (m, s) => fireTurnDone(m, s, 0)),
      prompt: await told('prompt.pre', (m, s) => firePromptPre(m, 'hi', s)),
      stop: await told('stop', fireStop),
    }).toEqual({
      start: { event: 'session.start', ...always },
      end: { event: 'session.end', ...always },
      pre: { event: 'tool.pre', ...always, ...call },
      post: { event: 'tool.post', ...always, ...call, tool_result: 'ok' },
      compact: { event: 'compact', ...always },
      error: { event: 'error', ...always, error_message: 'bad' },
      done: { event: 'turn.done', ...always, turn_index: 0 },
      prompt: { event: 'prompt.pre', ...always, prompt: 'hi' },
      stop: { event: 'stop', ...always, stop_active: false },
    });
  });

  test('fireToolPre cancels with the reason', async () => {
    const manager = createHookManager({ hooks: [{ event: 'tool.pre', command: 'echo why >&2; exit 1' }] });
    expect(await fireToolPre(manager, 't', '{}', session)).toEqual({ cancelled: true, reason: 'why' });
  });

  test('the factory returns the no-op for missing or empty hooks, and accepts parsed hooks', () => {
    expect(createHookManager({})).toBeInstanceOf(NoOpHookManager);
    expect(createHookManager({ hooks: [] })).toBeInstanceOf(NoOpHookManager);
    const config = OptaConfigSchema.parse({ hooks: [{ event: 'error', command: 'true' }] });
    expect(createHookManager(config)).not.toBeInstanceOf(NoOpHookManager);
  });
});
