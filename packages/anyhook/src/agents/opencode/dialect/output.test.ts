import { describe, expect, test } from 'vitest';
import { makeEngine } from '../../../engine/engine.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { Payload } from '../../../events/events.ts';
import type { Hook } from '../../../events/hook.ts';
import { type Outcome, outcomeOf } from '../../../events/outcome.ts';
import { runCall } from '../../../runners/call.ts';
import { event, outcome } from '../../../testing/index.ts';
import { hookFromPlugin } from './definition.ts';
import { opencode } from './index.ts';
import { nativeOf } from './payload.ts';

type Fn = (input: never, output: never) => unknown;
const plugins = (on: string, ...fns: Fn[]): Hook[] =>
  fns.map((fn, i) =>
    hookFromPlugin({ on, origin: { layer: 'user', file: `p${i + 1}.ts`, line: 1 }, fn, timeoutMs: 200 })!,
  );
async function fired(about: Event, hooks: readonly Hook[]): Promise<Outcome> {
  const engine = makeEngine({
    dialects: [opencode],
    hooks,
    services: {},
    run: (hook, request, limit) => runCall(hook.run as never, request as never, limit),
  });
  return outcomeOf((await engine.fire(about))!, about.name);
}
const writing = event('tool.before', { tool: 'write', input: { path: '/p/a.ts', content: 'x' } });
const shell = event('tool.before', { tool: 'shell', input: { command: 'git push --force' } });
const reasonsOf = ({ reasons }: Outcome) => reasons.map(({ text }) => text);

describe('arguments', () => {
  type Out = { args: Record<string, unknown> };
  test.each<[string, (output: Out) => void, object]>([
    [
      'changed in place under the name of the document',
      (o) => void (o.args['path'] = '/p/b.ts'),
      { path: '/p/b.ts', content: 'x' },
    ],
    [
      "changed in place under the agent's name",
      (o) => void (o.args['filePath'] = '/p/b.ts'),
      { path: '/p/b.ts', content: 'x' },
    ],
    [
      'put anew',
      (o) => void (o.args = { filePath: '/p/a.ts', content: 'y' }),
      { path: '/p/a.ts', content: 'y' },
    ],
    [
      'put anew under one name only',
      (o) => void (o.args = { path: '/p/c.ts', content: 'x' }),
      { path: '/p/c.ts', content: 'x' },
    ],
    ['with one more', (o) => void (o.args['mode'] = 1), { path: '/p/a.ts', content: 'x', mode: 1 }],
    ['with one taken away', (o) => void delete o.args['content'], { path: '/p/a.ts' }],
    ['left alone', () => {}, { path: '/p/a.ts', content: 'x' }],
  ])('arguments %s reach the tool', async (_how, change, expected) => {
    const outcome = await fired(
      writing,
      plugins('tool.execute.before', (_i: never, output: never) => change(output)),
    );
    expect(outcome.payload).toEqual({ tool: 'write', input: expected });
  });

  test('a later plugin receives arguments changed by an earlier one', async () => {
    const seen: unknown[] = [];
    const outcome = await fired(
      shell,
      plugins(
        'tool.execute.before',
        (_i, o: Out) => void (o.args = { command: 'git push' }),
        async (_i, o: Out) => void seen.push(o.args['command']),
      ),
    );
    expect([seen, outcome.payload]).toEqual([
      ['git push'],
      { tool: 'shell', input: { command: 'git push' } },
    ]);
  });

  test('invalid arguments are a failure that blocks', async () => {
    const outcome = await fired(
      shell,
      plugins('tool.execute.before', (_i, o: Out) => void (o.args = null as never)),
    );
    expect(outcome.verdict).toBe('deny');
    expect(reasonsOf(outcome)[0]).toContain("the resulting 'args' are not an object");
  });
});

describe('a throw', () => {
  test('a throw before a tool refuses that call with its message, and later plugins do not run', async () => {
    let asked = 0;
    const hooks = plugins(
      'tool.execute.before',
      async () => {
        throw new Error('Cannot write to system directories');
      },
      () => void asked++,
    );
    const outcome = await fired(writing, hooks);
    expect([outcome.verdict, reasonsOf(outcome), asked]).toEqual([
      'deny',
      ['Cannot write to system directories'],
      0,
    ]);
  });

  test('a throw after a tool makes the call fail', async () => {
    const about = event('tool.after', {
      tool: 'shell',
      input: {},
      content: [{ type: 'text', text: 'secret' }],
    });
    const outcome = await fired(
      about,
      plugins('tool.execute.after', () => {
        throw new Error('no');
      }),
    );
    expect(outcome.payload).toMatchObject({ content: [{ type: 'text', text: 'no' }], isError: true });
  });

  test.each(['chat.message', 'command.execute.before', 'permission.ask'])(
    'a throw in %s refuses',
    async (word) => {
      const about =
        word === 'chat.message'
          ? event('prompt.submit', { prompt: 'x' })
          : word === 'permission.ask'
            ? event('tool.permission', { tool: 'shell', input: {} })
            : event('command.before', { command: 'x' });
      const outcome = await fired(
        about,
        plugins(word, () => {
          throw new Error('no');
        }),
      );
      expect([outcome.verdict, reasonsOf(outcome)]).toEqual(['deny', ['no']]);
    },
  );

  test('a change in config by a later plugin does not run earlier plugins again', async () => {
    let asked = 0;
    const stamp = (config: Record<string, unknown>) =>
      void (config['stamp'] = `${config['stamp']}${asked++}`);
    const { verdict, payload } = await fired(
      event('config.loaded', { config: { stamp: '' } }),
      plugins('config', stamp, stamp),
    );
    expect([verdict, payload, asked]).toEqual(['none', { config: { stamp: '01' } }, 2]);
  });

  test('a throw in config is recorded and stops nothing', async () => {
    const outcome = await fired(
      event('config.loaded', { config: {} }),
      plugins('config', () => {
        throw new Error('no');
      }),
    );
    expect([outcome.verdict, outcome.runs[0]?.failedOpen]).toEqual(['none', true]);
  });
});

test('a gate that hangs is abandoned at its deadline and refuses', async () => {
  const outcome = await fired(
    shell,
    plugins('tool.execute.before', () => new Promise(() => {})),
  );
  expect([outcome.verdict, outcome.runs[0]?.answer?.failed?.kind]).toEqual(['deny', 'timed-out']);
});

describe('permission.ask', () => {
  const about = event('tool.permission', { tool: 'shell', input: { command: 'rm -rf /' } });
  type Out = { status: string };
  const says = (status: string) => async (_i: never, o: Out) => void (o.status = status);
  const quiet = async () => {};

  test.each<[string, Fn[], string]>([
    ['untouched is no vote', [quiet], 'none'],
    ['allow skips the question', [says('allow')], 'allow'],
    ['ask asks', [says('ask')], 'ask'],
    ['deny blocks', [says('deny')], 'deny'],
    ['a deny is not undone by a later allow', [says('deny'), says('allow')], 'deny'],
    ['an allow does not undo a deny that comes later', [says('allow'), says('deny')], 'deny'],
    ['an ask that was written stands against an allow', [says('allow'), says('ask')], 'ask'],
    ['one who says nothing takes nothing away from an allow', [says('allow'), quiet], 'allow'],
    ['a word nobody knows is a failure that blocks', [says('maybe')], 'deny'],
  ])('permission.ask: %s', async (_title, fns, verdict) => {
    expect((await fired(about, plugins('permission.ask', ...fns))).verdict).toBe(verdict);
  });

  test("the document's plugin reads tool and args", async () => {
    const guard = async (input: { tool: string; args?: { command?: string } }, output: Out) => {
      if (input.tool === 'bash' && input.args?.command?.includes('rm -rf /')) output.status = 'deny';
    };
    expect((await fired(about, plugins('permission.ask', guard as Fn))).verdict).toBe('deny');
  });
});

describe('changes to the output', () => {
  const content = [
    { type: 'text', text: 'KEY=1' },
    { type: 'image', data: 'x' },
  ];
  test('changes after a tool reach title, text and metadata, and other parts stay', async () => {
    const about = event('tool.after', {
      tool: 'write',
      input: { path: '/p/a' },
      content,
      title: 't',
      details: { a: 1 },
    });
    const outcome = await fired(
      about,
      plugins(
        'tool.execute.after',
        (_i, o: { title: string; output: string; metadata: Record<string, unknown> }) => {
          o.title = 'new';
          o.output = o.output.replace('KEY=1', 'KEY=*');
          o.metadata['b'] = 2;
          o.metadata['path'] = '/p/b';
        },
      ),
    );
    expect(outcome.payload).toEqual({
      tool: 'write',
      input: { path: '/p/a' },
      content: [
        { type: 'text', text: 'KEY=*' },
        { type: 'image', data: 'x' },
      ],
      title: 'new',
      details: { a: 1, b: 2, path: '/p/b', filepath: '/p/b' },
    });
  });

  test.each<[string, string, Event, (o: Record<string, object>) => void, object]>([
    [
      'chat.params',
      'parameters',
      event('model.parameters', { temperature: 1 }),
      (o) => Object.assign(o, { temperature: 0, topP: 0.5, options: { seed: 7 } }),
      { temperature: 0, topP: 0.5, options: { seed: 7 } },
    ],
    [
      'chat.headers',
      'headers',
      event('model.parameters', { headers: { a: 'b' } }),
      (o) => Object.assign(o['headers']!, { x: 'y' }),
      { headers: { a: 'b', x: 'y' } },
    ],
    [
      'shell.env',
      'the environment',
      event('shell.env', { cwd: '/p', env: { A: 'b' } }),
      (o) => Object.assign(o['env']!, { CI: '1' }),
      { cwd: '/p', env: { A: 'b', CI: '1' } },
    ],
    [
      'tool.definition',
      'a definition',
      event('tool.offered', { tool: 'shell', description: 'd', parameters: {} }),
      (o) => Object.assign(o, { description: 'e' }),
      { tool: 'shell', description: 'e', parameters: {} },
    ],
    [
      'experimental.chat.system.transform',
      'the system prompt',
      event('model.system', { system: ['a'] }),
      (o) => void (o['system'] as string[]).push('b'),
      { system: ['a', 'b'] },
    ],
    [
      'experimental.session.compacting',
      'the prompt of a compaction',
      event('compaction.prompt', {}),
      (o) => Object.assign(o, { context: ['c'], prompt: 'p' }),
      { context: ['c'], prompt: 'p' },
    ],
    [
      'experimental.compaction.autocontinue',
      'whether to go on',
      event('compaction.continue', { enabled: true }),
      (o) => Object.assign(o, { enabled: false }),
      { enabled: false },
    ],
    [
      'experimental.text.complete',
      'a text',
      event('model.text', { text: 'a' }),
      (o) => Object.assign(o, { text: 'b' }),
      { text: 'b' },
    ],
    [
      'experimental.provider.small_model',
      'the small model',
      event('model.small', {}),
      (o) => Object.assign(o, { model: { id: 'm' } }),
      { model: { id: 'm' } },
    ],
    [
      'command.execute.before',
      'the parts of a command',
      event('command.before', { command: 'c', parts: [] }),
      (o) => void (o['parts'] as unknown[]).push(1),
      { command: 'c', parts: [1] },
    ],
  ])('a change of %s reaches %s', async (word, _what, about, change, expected) => {
    const outcome = await fired(
      about,
      plugins(word, (_i: never, o: never) => change(o)),
    );
    expect([outcome.payload, outcome.runs[0]?.ignored]).toEqual([expected, undefined]);
  });

  test('a change in chat.message reaches the prompt and its parts', async () => {
    const outcome = await fired(
      event('prompt.submit', { prompt: 'do it' }),
      plugins('chat.message', (_i, o: { parts: { text: string }[] }) => void (o.parts[0]!.text = 'do that')),
    );
    expect(outcome.payload).toMatchObject({ prompt: 'do that', parts: [{ type: 'text', text: 'do that' }] });
  });

  test('a change in config reaches the settings through its first argument', async () => {
    const outcome = await fired(
      event('config.loaded', { config: { model: 'a' } }),
      plugins('config', (input: Record<string, unknown>) => void (input['model'] = 'b')),
    );
    expect(outcome.payload).toEqual({ config: { model: 'b' } });
  });
});

describe('the prompt', () => {
  type Sent = { parts: Record<string, unknown>[] };
  const image = { type: 'image', data: 'AA', mimeType: 'image/png' };
  const host = {
    prompt: 'hi',
    message: { role: 'user', id: 'm1', timestamp: 7 },
    parts: [{ type: 'text', text: 'hi' }, image],
  };
  const sent = (payload: Fields, ...changes: ((output: Sent) => unknown)[]) =>
    fired(
      event('prompt.submit', payload as Payload<'prompt.submit'>),
      plugins('chat.message', ...changes.map((change) => (_i: never, output: never) => void change(output))),
    );

  test("a prompt is OpenCode's message with its parts, whatever the host's message looks like", async () => {
    let shown: unknown;
    await sent(host, (output) => (shown = structuredClone(output)));
    const ids = { sessionID: 'test', messageID: 'm1' };
    expect(shown).toEqual({
      message: {
        id: 'm1',
        sessionID: 'test',
        role: 'user',
        time: { created: 7 },
        agent: 'build',
        model: { providerID: '', modelID: '' },
      },
      parts: [
        { id: 'prt_m1_0', ...ids, type: 'text', text: 'hi' },
        { id: 'prt_m1_1', ...ids, type: 'file', mime: 'image/png', url: 'data:image/png;base64,AA' },
      ],
    });
  });

  test('parts that plugins push and unshift are kept exactly, and the prompt is sent', async () => {
    const outcome = await sent(
      host,
      ({ parts }) =>
        parts.push({ id: `prt_${crypto.randomUUID()}`, type: 'text', text: 'behind', synthetic: true }),
      ({ parts }) => parts.unshift({ type: 'text', text: 'before' }),
    );
    expect([outcome.proceed, outcome.payload]).toEqual([
      'yes',
      {
        ...host,
        prompt: 'before\nhi\nbehind',
        parts: [
          { type: 'text', text: 'before' },
          ...host.parts,
          { type: 'text', text: 'behind', synthetic: true },
        ],
      },
    ]);
  });

  test('a prompt that another hook has changed is passed as changed, not as its original parts', async () => {
    let shown: unknown;
    const stale = { prompt: 'my ***', parts: [{ type: 'text', text: 'my KEY' }, image] };
    const { payload } = await sent(stale, ({ parts }) => {
      shown = parts[0]!['text'];
      parts.push({ type: 'text', text: 'more' });
    });
    expect([shown, payload]).toEqual([
      'my ***',
      {
        prompt: 'my ***\nmore',
        parts: [{ type: 'text', text: 'my ***' }, image, { type: 'text', text: 'more' }],
      },
    ]);
  });
});

describe('the conversation', () => {
  const tool = { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', output: 1 }] };
  const messages = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [{ type: 'text', text: 'ho' }] },
    tool,
  ];
  type Shown = { info: { role: string }; parts: { type: string; text?: string }[] };
  const transform = (change: (list: Shown[]) => void) =>
    fired(
      event('model.context', { messages }),
      plugins('experimental.chat.messages.transform', (_i, o: { messages: Shown[] }) => change(o.messages)),
    );

  test("a host's own messages are converted to OpenCode's format and back", async () => {
    const { payload } = await transform((list) => {
      list[0]!.parts[0]!.text = 'HI';
      list.splice(1, 1);
    });
    expect(payload).toEqual({ messages: [{ role: 'user', content: 'HI' }, tool] });
  });

  test('unchanged messages are the same objects', async () => {
    const { payload, changed } = await transform(() => {});
    expect([payload, changed]).toEqual([{ messages }, []]);
  });

  const call = { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'KEY.txt', limit: 5 } };
  const talk = [
    { role: 'user', content: 'my KEY', timestamp: 7 },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'a KEY', providerOptions: { a: 1 } },
        { type: 'text', text: 'I look' },
        call,
      ],
    },
    {
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: 'read',
      content: [
        { type: 'text', text: 'the KEY' },
        { type: 'image', data: 'AA', mimeType: 'image/png' },
      ],
      isError: false,
    },
    { role: 'custom', customType: 'note', content: 'a hidden KEY', display: false },
    { role: 'compactionSummary', summary: 'the KEY so far' },
  ];
  const changed = (change: (list: { info: Fields; parts: Fields[] }[]) => void) =>
    fired(
      event('model.context', { messages: talk }),
      plugins('experimental.chat.messages.transform', (_i, o: { messages: never[] }) => change(o.messages)),
    );

  test("a call and its result are one part, with OpenCode's names", async () => {
    let shown: { info: Fields; parts: Fields[] }[] = [];
    await changed((list) => void (shown = structuredClone(list)));
    const ids = { sessionID: 'test', messageID: 'msg_1' };
    expect(shown.map(({ info }) => info['role'])).toEqual(['user', 'assistant', 'user', 'user']);
    expect(shown[0]!.info['time']).toEqual({ created: 7 });
    expect(shown[1]!.parts).toEqual([
      { id: 'prt_1_0', ...ids, type: 'reasoning', text: 'a KEY', time: { start: 0 } },
      { id: 'prt_1_1', ...ids, type: 'text', text: 'I look' },
      {
        id: 'prt_1_2',
        ...ids,
        type: 'tool',
        callID: 'c1',
        tool: 'read',
        state: {
          status: 'completed',
          input: { filePath: 'KEY.txt', path: 'KEY.txt', limit: 5 },
          output: 'the KEY',
          title: '',
          metadata: {},
          time: { start: 0, end: 0 },
        },
      },
    ]);
    expect(shown.slice(2).map(({ parts }) => parts[0])).toMatchObject([
      { type: 'text', text: 'a hidden KEY', synthetic: true },
      { type: 'text', text: 'the KEY so far', synthetic: true },
    ]);
  });

  test('a redactor reaches texts, thoughts, arguments, results and summaries, and changes nothing else', async () => {
    const { payload } = await changed((list) => {
      for (const { parts } of list)
        for (const part of parts) {
          const state = part['state'] as Record<string, unknown> | undefined;
          if (state === undefined)
            (part as Record<string, unknown>)['text'] = String(part['text']).replace('KEY', '***');
          else {
            const input = state['input'] as Record<string, unknown>;
            for (const key of ['path', 'filePath']) input[key] = String(input[key]).replace('KEY', '***');
            state['output'] = String(state['output']).replace('KEY', '***');
          }
        }
    });
    expect(payload).toEqual({ messages: JSON.parse(JSON.stringify(talk).replaceAll('KEY', '***')) });
  });

  test('a pushed or unshifted part is added exactly', async () => {
    const part = (text: string) => ({ type: 'text', text });
    const { payload } = await changed((list) => {
      list[0]!.parts.push({ id: 'prt_x', ...part('behind') });
      list[1]!.parts.unshift(part('before'));
    });
    expect(payload['messages']).toEqual([
      { ...talk[0], content: [part('my KEY'), part('behind')] },
      { ...talk[1], content: [part('before'), ...(talk[1]!.content as unknown[])] },
      ...talk.slice(2),
    ]);
  });

  test('removing a call removes its result, and a new message is converted to the host format', async () => {
    const { payload } = await changed((list) => {
      list[1]!.parts.pop();
      list.push({ info: { id: 'msg_new', role: 'user' }, parts: [{ type: 'text', text: 'go on' }] });
    });
    expect(payload['messages']).toEqual([
      talk[0],
      { ...talk[1], content: (talk[1]!.content as unknown[]).slice(0, 2) },
      ...talk.slice(3),
      { role: 'user', content: [{ type: 'text', text: 'go on' }] },
    ]);
  });

  test("OpenCode's own messages stay unchanged", async () => {
    const own = [{ info: { id: 'm', role: 'user' }, parts: [{ type: 'text', text: 'a' }] }];
    const { payload } = await fired(
      event('model.context', { messages: own } as Payload<'model.context'>),
      plugins(
        'experimental.chat.messages.transform',
        (_i, o: { messages: Shown[] }) => void (o.messages[0]!.parts[0]!.text = 'b'),
      ),
    );
    expect(payload).toEqual({
      messages: [{ info: { id: 'm', role: 'user' }, parts: [{ type: 'text', text: 'b' }] }],
    });
  });
});

describe('for OpenCode as the agent', () => {
  const native = (name: string, about: Event) => opencode.payload.read(nativeOf(about, name));
  test('the answer is the output that its plugins would have left', () => {
    const about = native(
      'tool.execute.before',
      event('tool.before', { tool: 'bash', input: { command: 'ls' } }),
    );
    const changed = outcome(about, {
      payload: { tool: 'bash', input: { command: 'ls -l' } },
      changed: [{ by: 'h', at: 'input.command' }],
    });
    expect(opencode.output.write(changed, about)).toMatchObject({
      kind: 'returned',
      args: [{}, { args: { command: 'ls -l' } }],
    });
  });
  test('a refusal is a throw with the reasons', () => {
    const about = native('tool.execute.before', shell);
    const denied = outcome(about, { verdict: 'deny', reasons: [{ by: 'a', text: 'no' }] });
    expect(opencode.output.write(denied, about)).toMatchObject({ kind: 'threw', message: 'no' });
  });
  test('of two names for one event the fired one is answered', () => {
    const about = native('chat.headers', event('model.parameters', { headers: { a: 'b' } }));
    expect(opencode.output.write(outcome(about), about)).toMatchObject({
      args: [{}, { headers: { a: 'b' } }],
    });
  });
  test('context after a tool is appended to its text', () => {
    const about = native(
      'tool.execute.after',
      event('tool.after', { tool: 'shell', input: {}, content: [{ type: 'text', text: 'a' }] }),
    );
    const told = outcome(about, { said: [{ by: 'h', to: 'model', text: 'know' }] });
    expect(opencode.output.write(told, about)).toMatchObject({ args: [{}, { output: 'a\n\nknow' }] });
  });
});
