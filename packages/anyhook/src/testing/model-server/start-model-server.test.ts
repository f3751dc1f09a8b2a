import { afterEach, describe, expect, test } from 'vitest';
import type { ModelScript } from './script.ts';
import { type ModelServer, type ModelServerOptions, startModelServer } from './start-model-server.ts';

const open: ModelServer[] = [];
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));
const start = async (script?: ModelScript, more: ModelServerOptions = {}) => {
  const server = await startModelServer({ ...(script && { script }), ...more });
  open.push(server);
  return server;
};
const post = (server: ModelServer, path: string, body: unknown) =>
  fetch(server.url + path, { method: 'POST', body: JSON.stringify(body) });
const json = async (server: ModelServer, path: string, body: unknown) =>
  (await (await post(server, path, body)).json()) as Record<string, unknown>;
/** The parsed data of server-sent events. */
const events = async (response: Response) =>
  (await response.text())
    .split(/\r?\n\r?\n/)
    .flatMap((block) => /^data: (.*)$/m.exec(block)?.[1] ?? [])
    .map((data) => (data === '[DONE]' ? data : (JSON.parse(data) as Record<string, unknown>)));

const shell = {
  type: 'object',
  properties: { command: { type: 'string' }, description: { type: 'string' } },
  required: ['command', 'description'],
};
const user = (content: string) => ({ role: 'user', content });
const anthropicBody = { model: 'm', tools: [{ name: 'Bash', input_schema: shell }], messages: [user('go')] };
const chatTools = [{ type: 'function', function: { name: 'bash', parameters: shell } }];
const ID = expect.any(String) as string;

describe('each protocol, whole', () => {
  test('Anthropic Messages: fills in required arguments that the script omits', async () => {
    const server = await start([{ shell: 'ls' }]);
    expect(await json(server, '/v1/messages', anthropicBody)).toEqual({
      id: ID,
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [
        { type: 'tool_use', id: ID, name: 'Bash', input: { command: 'ls', description: 'fake description' } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: {
        input_tokens: 10,
        output_tokens: 5,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
    });
  });

  test('OpenAI Chat: answers with text and calls', async () => {
    const server = await start([{ text: 'hello' }]);
    const body = { model: 'm', tools: chatTools, messages: [user('go')] };
    expect(await json(server, '/v1/chat/completions', body)).toMatchObject({
      object: 'chat.completion',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hello' } }],
    });
  });

  test('OpenAI Responses: supports tools in namespaces, custom tools and local shells, as Codex has', async () => {
    const server = await start([{ tool: 'look' }]);
    const tools = [
      { type: 'namespace', name: 'web', tools: [{ type: 'function', name: 'look', parameters: {} }] },
    ];
    const body = { model: 'm', input: 'go', tools };
    expect(await json(server, '/v1/responses', body)).toMatchObject({
      output: [{ type: 'function_call', name: 'look', namespace: 'web', arguments: '{}' }],
    });
    const coded = await start([{ shell: 'ls' }]);
    const custom = { model: 'm', input: [user('go')], tools: [{ type: 'custom', name: 'exec' }] };
    expect(await json(coded, '/v1/responses', custom)).toMatchObject({
      output: [
        {
          type: 'custom_tool_call',
          name: 'exec',
          input: 'const r = await tools.exec_command({cmd: "ls"});\ntext(r.output ?? r);',
        },
      ],
    });
    const local = await start([{ shell: 'ls' }]);
    const input = [{ type: 'additional_tools', tools: [{ type: 'local_shell' }] }, user('go')];
    expect(await json(local, '/v1/responses', { model: 'm', input })).toMatchObject({
      output: [
        { type: 'local_shell_call', action: { type: 'exec', command: ['bash', '-lc', 'ls'], env: {} } },
      ],
    });
  });

  test('Gemini: the model is in the URL and types are in capitals', async () => {
    const server = await start([{ shell: 'ls' }]);
    const parameters = {
      type: 'OBJECT',
      properties: { command: { type: 'STRING' }, wait: { type: 'BOOLEAN' } },
      required: ['command', 'wait'],
    };
    const body = {
      contents: { role: 'user', parts: [{ text: 'go' }] },
      tools: [{ functionDeclarations: [{ name: 'run_shell_command', parameters }] }],
    };
    expect(await json(server, '/v1beta/models/gem:generateContent', body)).toEqual({
      candidates: [
        {
          index: 0,
          content: {
            role: 'model',
            parts: [
              { functionCall: { id: ID, name: 'run_shell_command', args: { command: 'ls', wait: false } } },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      modelVersion: 'gem',
      responseId: ID,
    });
  });
});

describe('each protocol, streamed', () => {
  test('Anthropic: the pieces add up, and the message ends', async () => {
    const server = await start([{ text: 'hello there', pieces: 4 }]);
    const heard = await events(await post(server, '/v1/messages', { ...anthropicBody, stream: true }));
    expect(heard.map((event) => (event as { type: string }).type)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(heard.map((event) => (event as { delta?: { text?: string } }).delta?.text ?? '').join('')).toBe(
      'hello there',
    );
  });

  test('Chat: sends all calls in one delta, then usage, then [DONE]', async () => {
    const server = await start([{ calls: [{ shell: 'a' }, { tool: '/^ba/', args: { command: 'b' } }] }]);
    const body = { model: 'm', stream: true, tools: chatTools, messages: [user('go')] };
    const heard = await events(await post(server, '/v1/chat/completions', body));
    expect(heard).toHaveLength(5);
    expect(heard[1]).toMatchObject({
      choices: [
        {
          delta: {
            tool_calls: [
              {
                index: 0,
                function: { name: 'bash', arguments: '{"command":"a","description":"fake description"}' },
              },
              {
                index: 1,
                function: { name: 'bash', arguments: '{"command":"b","description":"fake description"}' },
              },
            ],
          },
        },
      ],
    });
    expect(heard[4]).toBe('[DONE]');
  });

  test('Responses: numbers events and ends with the complete response', async () => {
    const server = await start([{ shell: 'a' }]);
    const tools = [{ type: 'function', name: 'shell', parameters: shell }];
    const body = { model: 'm', stream: true, tools, input: [user('go')] };
    const heard = await events(await post(server, '/v1/responses', body));
    expect(
      heard.map((event) => [
        (event as Record<string, unknown>)['sequence_number'],
        (event as Record<string, unknown>)['type'],
      ]),
    ).toEqual([
      [0, 'response.created'],
      [1, 'response.output_item.added'],
      [2, 'response.function_call_arguments.delta'],
      [3, 'response.function_call_arguments.done'],
      [4, 'response.output_item.done'],
      [5, 'response.completed'],
    ]);
  });

  test('Gemini: only the last piece has a finish reason', async () => {
    const server = await start([{ text: 'hello', pieces: 3 }]);
    const body = {
      contents: [{ role: 'user', parts: [{ text: 'go' }] }],
      tools: [{ functionDeclarations: [{ name: 'x' }] }],
    };
    const heard = await events(await post(server, '/v1beta/models/gem:streamGenerateContent?alt=sse', body));
    expect(
      heard.map((event) => {
        const [candidate] = (event as { candidates: { content: unknown; finishReason?: string }[] })
          .candidates;
        return [candidate?.content, candidate?.finishReason];
      }),
    ).toEqual([
      [{ role: 'model', parts: [{ text: 'hel' }] }, undefined],
      [{ role: 'model', parts: [{ text: 'lo' }] }, 'STOP'],
    ]);
  });
});

describe('the script', () => {
  const said = async (server: ModelServer, messages: readonly unknown[]) => {
    const body = await json(server, '/v1/messages', { ...anthropicBody, messages });
    return (body['content'] as { text?: string }[])[0]?.text;
  };
  const answer = { role: 'assistant', content: 'x' };

  test('counts turns by the history, so that a retry gets the same turn', async () => {
    const server = await start([{ text: 'one' }, { text: 'two {{CWD}}' }], { cwd: '/some "where"' });
    expect([
      await said(server, [user('go')]),
      await said(server, [user('go')]),
      await said(server, [user('go'), answer, user('on')]),
      await said(server, [user('go'), answer, user('on'), answer, user('on')]),
    ]).toEqual(['one', 'one', 'two /some "where"', 'done']);
  });

  test('plays a turn with `times` that many times', async () => {
    const server = await start([
      { status: 429, error: 'slow', times: 2, headers: { 'retry-after': '3' } },
      { text: 'ok' },
    ]);
    const first = await post(server, '/v1/messages', anthropicBody);
    expect([first.status, first.headers.get('retry-after'), await first.json()]).toEqual([
      429,
      '3',
      { type: 'error', error: { type: 'api_error', message: 'slow' } },
    ]);
    expect((await post(server, '/v1/messages', anthropicBody)).status).toBe(429);
    expect(await said(server, [user('go')])).toBe('ok');
  });

  test("selects the route by a conversation's opening text", async () => {
    const server = await start({
      main: [{ text: 'main' }],
      routes: [{ match: 'review', steps: [{ text: 'reviewed' }] }],
    });
    expect([await said(server, [user('go')]), await said(server, [user('please review')])]).toEqual([
      'main',
      'reviewed',
    ]);
  });

  test('titles, JSON requests and summaries do not advance the script', async () => {
    const server = await start([{ text: 'one' }]);
    const bare = await json(server, '/v1/messages', { model: 'm', messages: [user('title?')] });
    expect(bare['content']).toEqual([{ type: 'text', text: 'fake title' }]);
    const format = {
      type: 'json_schema',
      schema: { type: 'object', properties: { ok: { type: 'boolean' }, who: { enum: ['ai', 'user'] } } },
    };
    const shaped = await json(server, '/v1/messages', { ...anthropicBody, output_config: { format } });
    expect(shaped['content']).toEqual([{ type: 'text', text: '{"ok":false,"who":"user"}' }]);
    const wish = `Please summarize the conversation so far. ${'In detail. '.repeat(30)}`;
    expect(await said(server, [user(wish)])).toBe('<summary>fake summary of the conversation</summary>');
    const work = `Summarize commit conventions found in the project's Git history. ${'In detail. '.repeat(30)}`;
    expect(await said(server, [user(work)])).toBe('one');
    expect(server.requests.map(({ turn }) => turn && 'side' in turn && turn.side)).toEqual([
      'no-tools',
      'json',
      'summary',
      false,
    ]);
  });

  test('ends a client that never ends by itself', async () => {
    const server = await start([{ text: 'one' }], { maxTurns: 1 });
    expect([await said(server, [user('go')]), await said(server, [user('go')])]).toEqual(['one', 'done']);
  });

  test('tells a client without a shell about it', async () => {
    const server = await start([{ shell: 'ls' }]);
    const tools = [{ name: 'Look', input_schema: {} }];
    const body = await json(server, '/v1/messages', { ...anthropicBody, tools });
    expect(body['content']).toEqual([{ type: 'text', text: 'no shell tool among: Look' }]);
  });

  test('sends a part of a cut answer and closes the connection', async () => {
    const server = await start([{ text: 'a long answer', cut: true }]);
    const response = await post(server, '/v1/messages', { ...anthropicBody, stream: true });
    await expect(response.text()).rejects.toThrow('terminated');
  });
});

test('records every request with its body, and answers other requests so that clients continue', async () => {
  const server = await start();
  await post(server, '/v1/messages?beta=true', anthropicBody);
  await post(server, '/v1/messages/count_tokens', {});
  await post(server, '/v1/responses/compact', {});
  await fetch(`${server.url}/v1/models`);
  await fetch(`${server.url}/npm/some-package`);
  await fetch(`${server.url}/anything`);
  const lost = await post(server, '/anything', {});
  expect(lost.status).toBe(404);
  await fetch(`${server.url}/v1/messages`, { method: 'POST', body: 'no json' });
  expect(server.requests.map(({ kind, method, path }) => [kind, method, path])).toEqual([
    ['anthropic', 'POST', '/v1/messages?beta=true'],
    ['count', 'POST', '/v1/messages/count_tokens'],
    ['compact', 'POST', '/v1/responses/compact'],
    ['models', 'GET', '/v1/models'],
    ['npm', 'GET', '/npm/some-package'],
    ['unknown', 'GET', '/anything'],
    ['unknown', 'POST', '/anything'],
    ['anthropic', 'POST', '/v1/messages'],
  ]);
  expect(server.requests[0]).toMatchObject({
    body: anthropicBody,
    turn: { kind: 'calls', calls: [{ kind: 'function', name: 'Bash', args: { command: 'echo hi' } }] },
  });
  expect(server.requests.at(-1)?.body).toEqual({ unparsed: 'no json' });
});
