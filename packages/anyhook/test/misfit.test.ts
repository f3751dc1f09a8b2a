/** Hooks of every dialect whose answer is valid in their format but does not fit the event. */

import { describe, expect, test } from 'vitest';
import { DIALECTS } from '../src/dialects.ts';
import { makeEngine } from '../src/engine/engine.ts';
import type { Event } from '../src/events/event.ts';
import type { EventName, Payload } from '../src/events/events.ts';
import type { Reply } from '../src/events/exchange.ts';
import type { Hook } from '../src/events/hook.ts';

const returned = (value: unknown, ...args: unknown[]): Reply => ({ kind: 'returned', value, args });
const printed = (document: unknown): Reply => ({
  kind: 'exited',
  code: 0,
  stdout: JSON.stringify(document),
  stderr: '',
});
const at = <E extends EventName>(name: E, payload: Payload<E>): Event =>
  ({ name, payload, ids: { session: 's' }, scene: { cwd: '/' }, round: 1 }) as Event;
const RESULT = at('tool.after', { tool: 'shell', input: {}, content: [], isError: false });

async function heard(dialect: string, on: string, event: Event, reply: Reply) {
  const hook: Hook = {
    id: 'h',
    dialect,
    on,
    origin: { layer: 'user', file: 'hooks.json', line: 1 },
    roles: ['guard', 'mutator'],
    match: { kind: 'any' },
    run:
      reply.kind === 'exited' ? { kind: 'command', run: { line: ':' }, env: [] } : { kind: 'call', fn() {} },
    background: false,
    shadow: false,
    timeoutMs: 1000,
  };
  const engine = makeEngine({ dialects: DIALECTS, hooks: [hook], run: () => reply, services: {} });
  const { payload, given, runs } = (await engine.fire(event))!;
  return { payload, given, failed: runs[0]!.answer!.failed };
}

describe('an answer that does not fit is not handed on', () => {
  test.each<[string, string, Event, Reply, string]>([
    [
      'opencode',
      'experimental.chat.system.transform',
      at('model.system', { system: ['s'] }),
      returned(undefined, {}, { system: 5 }),
      '"system" of model.system must be a list, got a number (5)',
    ],
    [
      'opencode',
      'shell.env',
      at('shell.env', { cwd: '/', env: { A: 'a' } }),
      returned(undefined, {}, { env: { A: 'a', B: 5 } }),
      '"env.B" of shell.env must be a string, got a number (5)',
    ],
    [
      'opencode',
      'experimental.text.complete',
      at('model.text', { text: 't' }),
      returned(undefined, {}, {}),
      '"text" of model.text cannot be removed, expected a string',
    ],
    [
      'oh-my-pi',
      'tool_result',
      RESULT,
      returned({ content: 'text' }),
      '"content" of tool.after must be a list, got a string ("text")',
    ],
    [
      'oh-my-pi',
      'before_agent_start',
      at('agent.before', { prompt: 'p' }),
      returned({ message: {} }),
      'the gift "message.content" must be a string or a list, got undefined',
    ],
    [
      'anyhook',
      'tool.after',
      RESULT,
      printed({ set: { content: 5 } }),
      '"content" of tool.after must be a list, got a number (5)',
    ],
    [
      'anyhook',
      'session.start',
      at('session.start', {}),
      printed({ give: { what: 'title', value: 5 } }),
      'the gift "title" must be a string, got a number (5)',
    ],
  ])('%s %s', async (dialect, on, event, reply, detail) => {
    expect(await heard(dialect, on, event, reply)).toEqual({
      payload: event.payload,
      given: [],
      failed: { kind: 'unreadable', detail },
    });
  });
});

test('a value that the host sent wrong and a hook left unchanged is not a failure', async () => {
  const wrong = at('shell.env', { cwd: '/', env: { A: 5 } } as never);
  const left = { env: { A: 5, B: 'b' } };
  expect(await heard('opencode', 'shell.env', wrong, returned(undefined, {}, left))).toEqual({
    payload: { cwd: '/', ...left },
    given: [],
    failed: undefined,
  });
});
