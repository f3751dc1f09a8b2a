/** One session in which every event of the event table fires, with a valid payload and in the right order. */

import { createServer } from 'node:http';
import { EVENTS, type Callbacks, type Event, type EventName, set } from 'anyhook';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { NOT_FIRED } from '../hooks/can.ts';
import { somebody, stage } from './fixtures/stage.ts';

const NAMES = Object.keys(EVENTS) as EventName[];
let url: string;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = (delta: object, finish: string | null) =>
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    response.end(
      `${chunk({ role: 'assistant', content: 'over the wire' }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`,
    );
  });
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}/v1`;
});
afterAll(() => void server.close());

/** An OpenCode plugin that offers a login. */
const ACME = `export const Acme = async () => ({
  auth: { provider: 'acme', methods: [{ type: 'api', label: 'API key' }] },
});`;

/** Records every event; `answers` act as hooks. */
function noting(fired: Event[], answers: Callbacks = {}): Callbacks {
  return Object.fromEntries(
    NAMES.map((name) => [
      name,
      (event: Event) => {
        fired.push(event);
        return (answers[name] as ((event: Event) => unknown) | undefined)?.(event);
      },
    ]),
  ) as Callbacks;
}

describe('every event', () => {
  test('every event fires with a valid payload in the right order, or has a documented reason not to', async () => {
    const ground = stage();
    ground.write('home/.config/anyhook-agent/commands/hail.md', 'Say hello to $ARGUMENTS.');
    ground.write('home/.config/opencode/plugin/acme.js', ACME);
    const fired: Event[] = [];
    const agent = await ground.open(
      {
        main: [
          { error: { status: 503, message: 'busy' } },
          { text: 'I use any.' },
          {
            text: 'Working.',
            calls: [
              { tool: 'write', input: { path: 'a.txt', content: 'a' } },
              { tool: 'shell', input: { command: 'echo $NAME' } },
              { tool: 'shell', input: { command: 'rm -rf /' } },
              { tool: 'teleport', input: {} },
              { tool: 'task', input: { description: 'look', prompt: 'look', type: 'explore' } },
              { tool: 'todo', input: { todos: [{ content: 'rest', status: 'pending' }] } },
            ],
          },
          { text: 'Done?' },
          { calls: [{ tool: 'todo', input: { todos: [{ content: 'rest', status: 'completed' }] } }] },
          { text: 'Done.', usage: { input: 95_000, output: 1 } },
          { text: 'Hello.' },
          { error: { status: 401, message: 'no' } },
        ],
        'task:explore': [{ text: 'looked' }],
        summary: [{ text: 'short', repeat: true }],
      },
      {
        permission: 'ask',
        person: somebody(['once', 'once', 'deny']),
        settings: {
          retry: { attempts: 2, firstDelayMs: 1 },
          streamRules: [{ pattern: 'any', text: 'no any' }],
        },
        hooks: { hooks: noting(fired, { 'shell.env': () => set('env', 'NAME', 'Ada') }) },
      },
    );
    await agent.prompt('go');
    const first = agent.current.entries[0]!.id;
    await agent.runCommand('hail', 'Ada');
    await agent.prompt('fails');
    await agent.compact();
    await agent.navigate(first, { summarize: true });
    await agent.branch(agent.current.entries.find(({ type }) => type === 'message')!.id);
    await agent.newSession();
    await agent.setModel(`openai-compatible:${url}#m`);
    await agent.prompt('over the wire?');
    await agent.close();

    const names = fired.map(({ name }) => name);

    expect(missingIn(names)).toEqual([]);
    const faults = fired.flatMap(({ name, payload }) => {
      const read = EVENTS[name].payload(z).safeParse(payload);
      return read.success ? [] : [`${name}: ${read.error.message}`];
    });
    expect(faults).toEqual([]);
    // Every event names its session and folder.
    expect(fired.filter(({ ids, scene }) => ids.session === '' || scene.cwd !== ground.cwd)).toEqual([]);

    const own = fired.flatMap(({ name, ids }) =>
      ids.agent === undefined || name.startsWith('subagent') ? [name] : [],
    );
    const order = (...wanted: EventName[]) => expect(firsts(own, wanted)).toEqual(wanted);
    order(
      'config.loaded',
      'session.start',
      'prompt.submit',
      'agent.before',
      'agent.start',
      'tool.offered',
      'turn.start',
      'model.context',
      'model.system',
      'model.parameters',
      'retry.start',
      'rule.triggered',
      'model.text',
      'retry.end',
    );
    order(
      'tool.before',
      'tool.permission',
      'notification.sent',
      'other',
      'file.edited',
      'tool.after',
      'shell.env',
      'tool.denied',
      'tool.failed',
      'subagent.start',
      'subagent.stop',
      'turn.end',
      'todo.reminder',
      'turn.stop',
      'agent.end',
      'agent.idle',
    );
    order(
      'agent.idle',
      'model.small',
      'command.before',
      'autocompaction.start',
      'compaction.before',
      'compaction.prompt',
      'compaction.after',
      'compaction.continue',
      'autocompaction.end',
      'session.error',
      'session.navigating',
      'session.navigated',
      'session.branching',
      'session.branched',
      'session.switching',
      'session.switched',
      'model.request',
      'model.response',
      'session.end',
    );
  });
});

/** Event names in the order of their first occurrence. */
const firsts = (names: readonly EventName[], wanted: readonly EventName[]): EventName[] =>
  wanted.toSorted((a, b) => names.indexOf(a) - names.indexOf(b));

const missingIn = (names: readonly EventName[]): EventName[] =>
  NAMES.filter((name) => !names.includes(name) && NOT_FIRED[name] === undefined);

describe('the check itself', () => {
  test('the coverage check detects a missing event and an invalid payload', () => {
    expect(missingIn(NAMES.filter((name) => name !== 'retry.end'))).toEqual(['retry.end']);
    expect(EVENTS['retry.end'].payload(z).safeParse({ success: 'yes' }).success).toBe(false);
  });
});
