/** Hooks on requests to the provider, with the real provider packages and a real server. */

import { type Callbacks, deny, type Event, give, set } from 'anyhook';
import { type ModelScript, type ModelServer, startModelServer } from 'anyhook/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { stage, transcript } from '../loop/fixtures/stage.ts';

const servers: ModelServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

async function opened(script: ModelScript, callbacks: Callbacks = {}) {
  const server = await startModelServer({ script });
  servers.push(server);
  const ground = stage();
  const agent = await ground.open([], {
    model: 'anthropic:claude-sonnet-4-5',
    env: {
      PATH: process.env['PATH'],
      HOME: ground.home,
      ANTHROPIC_API_KEY: 'sk-one',
      ANTHROPIC_BASE_URL: server.url,
    },
    hooks: { hooks: callbacks },
  });
  return { server, agent, ground };
}
const stopped = (seen: readonly { kind: string }[]) => seen.findLast(({ kind }) => kind === 'stopped');

describe('a request to the provider', () => {
  test('a request to the provider is sent as a hook changed it', async () => {
    const { server, agent } = await opened([{ text: 'hi' }], {
      'model.request': () => [set('body', 'max_tokens', 77), set('headers', 'x-house', 'blue')],
    });
    await agent.prompt('hello');
    const [request] = server.requests;
    expect([request?.body['max_tokens'], request?.headers['x-house'], request?.headers['x-api-key']]).toEqual(
      [77, 'blue', 'sk-one'],
    );
    expect(transcript(agent).at(-1)).toBe('assistant: hi');
  });

  test('a request that a hook denies is not sent or retried, and the session reports the reason', async () => {
    const { server, agent, ground } = await opened([{ text: 'hi' }], {
      'model.request': () => deny('no secrets over this wire'),
    });
    await agent.prompt('hello');
    expect(server.requests).toEqual([]);
    expect(stopped(ground.seen)).toEqual({
      kind: 'stopped',
      why: 'error',
      detail: 'a hook refused the request to the model: no secrets over this wire',
    });
    expect(ground.seen.some(({ kind }) => kind === 'retrying')).toBe(false);
  });

  test('a hook can answer a request instead of the provider', async () => {
    const events = [
      {
        type: 'message_start',
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'x',
          content: [],
          stop_reason: null,
          usage: { input_tokens: 1, output_tokens: 0 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'from the cache' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
      { type: 'message_stop' },
    ];
    const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    const { server, agent } = await opened([{ text: 'from the provider' }], {
      'model.request': () =>
        give('response', { status: 200, headers: { 'content-type': 'text/event-stream' }, body }),
    });
    await agent.prompt('hello');
    expect([server.requests, transcript(agent).at(-1)]).toEqual([[], 'assistant: from the cache']);
  });

  test('a request of a subagent carries the id of the subagent, and a request of the session carries none', async () => {
    const asked: (string | undefined)[] = [];
    const { agent } = await opened(
      {
        main: [{ tool: 'task', args: { description: 'look', prompt: 'look around', type: 'explore' } }],
        routes: [{ match: 'look around', steps: [{ text: 'looked' }] }],
      },
      { 'model.request': ({ ids }: Event) => void asked.push(ids.agent) },
    );
    await agent.prompt('go');
    expect(asked).toEqual([undefined, expect.stringMatching(/^agent-/), undefined]);
  });

  test('an aborted agent does not wait for a hook on a request', async () => {
    let isAsked = () => {};
    const waiting = new Promise<void>((resolve) => void (isAsked = resolve));
    const { server, agent, ground } = await opened([{ text: 'hi' }], {
      'model.request': () => {
        isAsked();
        return new Promise(() => {});
      },
    });
    const going = agent.prompt('hello');
    await waiting;
    agent.abort();
    await going;
    expect([server.requests, stopped(ground.seen)]).toEqual([[], { kind: 'stopped', why: 'aborted' }]);
  });
});

describe('a connection that is lost in the middle of an answer', () => {
  test('a connection lost in the middle of an answer is retried, and the answer arrives', async () => {
    const { agent, ground } = await opened([
      { text: 'a long answer', cut: true, times: 1 },
      { text: 'whole' },
    ]);
    await agent.prompt('hello');
    expect(ground.seen.filter(({ kind }) => kind === 'retrying')).toHaveLength(1);
    expect(stopped(ground.seen)).toEqual({ kind: 'stopped', why: 'done' });
  });

  test('a connection lost permanently ends in a clear error, and the session is kept and can continue', async () => {
    const { server, agent, ground } = await opened([{ text: 'a long answer', cut: true }]);
    await agent.prompt('hello');
    expect(server.requests).toHaveLength(4);
    expect(stopped(ground.seen)).toEqual({
      kind: 'stopped',
      why: 'error',
      detail: expect.stringContaining('the connection to the model was lost'),
    });
    const again = await ground.open([{ text: 'here again' }], { start: 'continue' });
    await again.prompt('are you there?');
    expect(transcript(again)).toEqual(['user: hello', 'user: are you there?', 'assistant: here again']);
  });
});
