/** Hooks on tools of a real server: refused calls do not run, and changed inputs and results take effect. */

import { type ClientCapabilities, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test, vi } from 'vitest';
import { isSample } from '../deep.ts';
import {
  bothWays,
  connected,
  ground,
  guard,
  PATIENT,
  program,
  proxied,
  textOf,
  TRANSPORTS,
} from './ground.ts';

vi.setConfig({ testTimeout: 180_000 }); // several processes each, on whatever machine

const hook = (on: string, run: string) => `defineHook({ on: '${on}', run: (event) => { ${run} } })`;
const hooks = (...all: string[]) => guard('mine', `export default [${all.join(', ')}];`);
const REFUSE = hook(
  'tool.before',
  `if (event.payload.input.file === 'no.txt') return { kind: 'deny', reason: 'not this file' };`,
);
const ASK = hook(
  'tool.before',
  `if (event.payload.tool.endsWith('__touch')) return { kind: 'ask', reason: 'sure?' };`,
);

// Over both every day: `through.test.ts`.
const inTime = (kind: string) => (isSample && kind === 'http' ? describe.skip : describe);
for (const kind of TRANSPORTS)
  inTime(kind)(`over ${kind}`, () => {
    const opened = async (files: Readonly<Record<string, string>>, ...words: string[]) => {
      const at = ground(files);
      const { client } = await connected((await bothWays(kind, at)).through(...words));
      const call = (name: string, args = {}) =>
        client.callTool({ name, arguments: args }, undefined, PATIENT);
      return { at, client, call };
    };

    test('a call that a hook refuses does not run, and the model reads which hook refused it and why', async () => {
      const { at, call } = await opened(hooks(REFUSE), '--name', 'full');
      expect(await call('touch', { file: 'no.txt' })).toEqual({
        content: [{ type: 'text', text: 'mcp__full__touch was blocked: not this file [hook in mine.mjs:2]' }],
        isError: true,
      });
      await call('touch', { file: 'yes.txt' });
      expect([at.has('no.txt'), at.has('yes.txt')]).toEqual([false, true]);
      expect(at.journal()).toContain('not this file');
    });

    test('control: the same call runs without the hook', async () => {
      const { at, call } = await opened({});
      expect(textOf(await call('touch', { file: 'no.txt' }))).toBe('touched no.txt');
      expect(at.has('no.txt')).toBe(true);
    });

    test('a changed input runs, and context of the hook is added to the result', async () => {
      const { at, call } = await opened(
        hooks(
          hook(
            'tool.before',
            `return [{ kind: 'set', at: ['input', 'file'], to: 'other.txt' }, { kind: 'context', text: 'moved' }];`,
          ),
          hook('tool.after', `return { kind: 'context', text: 'and done' };`),
        ),
      );
      expect(await call('touch', { file: 'asked.txt' })).toEqual({
        content: ['touched other.txt', 'moved', 'and done'].map((text) => ({ type: 'text', text })),
      });
      expect([at.has('asked.txt'), at.has('other.txt')]).toEqual([false, true]);
    });

    test('a redaction removes a value from the text and from the structured data', async () => {
      const { client, call } = await opened(
        hooks(
          hook(
            'tool.after',
            `const text = event.payload.content[0].text.replace('sk-secret', '[redacted]');
           return { kind: 'set', at: ['content'], to: [{ type: 'text', text }] };`,
          ),
        ),
      );
      await client.listTools({}, PATIENT); // from then on the client checks the data of results
      expect(await call('user')).toEqual({
        content: [{ type: 'text', text: '{"name":"Ada","token":"[redacted]"}' }],
        structuredContent: { name: 'Ada', token: '[redacted]' },
      });
      expect(await call('prose')).toEqual({
        content: [{ type: 'text', text: 'The token is [redacted].' }],
        isError: true,
      });
    });

    test('hooks receive error results and failed calls in their own format', async () => {
      const { at, call } = await opened(
        {
          ...hooks(
            hook(
              'tool.failed',
              `return { kind: 'set', at: ['error'], to: event.payload.error + ' (seen)' };`,
            ),
            hook('tool.after', `return { kind: 'context', text: 'isError ' + event.payload.isError };`),
          ),
          '.claude/settings.json': JSON.stringify({
            hooks: {
              PostToolUseFailure: [
                { matcher: 'mcp__full__refuse', hooks: [{ type: 'command', command: 'cat > failed.json' }] },
              ],
            },
          }),
        },
        '--name',
        'full',
      );
      expect(textOf(await call('refuse'))).toBe('the disk is full\nisError true');
      expect(at.has('failed.json')).toBe(true);
      await expect(call('die')).rejects.toThrow(/\(seen\)/);
    });
  });

describe('a question of a hook', () => {
  /** Each answer to a question of its own, in one session. */
  const asking = async (answers: readonly object[], capabilities: ClientCapabilities) => {
    const at = ground(hooks(ASK));
    const asked: unknown[] = [];
    const { client } = await connected(proxied(at, ['--', ...program()]), capabilities, (one) => {
      if (capabilities.elicitation !== undefined)
        one.setRequestHandler(ElicitRequestSchema, ({ params }) => {
          asked.push(params);
          return { action: 'accept', ...answers[asked.length - 1] };
        });
    });
    const said: string[] = [];
    for (const n of answers.keys())
      said.push(
        textOf(await client.callTool({ name: 'touch', arguments: { file: `${n}.txt` } }, undefined, PATIENT)),
      );
    return { ran: answers.map((_, n) => at.has(`${n}.txt`)), asked, said };
  };

  test('a question of a hook shows the user the final call, which runs only after yes', async () => {
    const { ran, asked, said } = await asking(
      [
        { content: { run: true } },
        { content: { run: false } },
        { content: {} },
        { action: 'decline' },
        { action: 'cancel' },
        { action: 'whatever', content: { run: true } },
      ],
      { elicitation: {} },
    );
    expect(ran).toEqual([true, false, false, false, false, false]);
    expect(asked[0]).toMatchObject({ message: expect.stringMatching(/sure\?[^]*"file": "0.txt"/) as string });
    expect(said[1]).toContain("needs the user's consent");
  });

  test.each([
    ['no question', {}],
    ['only a page in the browser', { elicitation: { url: {} } }],
  ])('a question of a hook is a refusal where the client can show %s', async (_, capabilities) => {
    const { ran, asked, said } = await asking([{}], capabilities);
    expect([ran, asked, said]).toEqual([[false], [], [expect.stringContaining("needs the user's approval")]]);
  });

  test('a question is withdrawn when the client cancels the call, which then never runs', async () => {
    const at = ground(hooks(ASK));
    const stop = new AbortController();
    const seen: string[] = [];
    const { client } = await connected(proxied(at, ['--', ...program()]), { elicitation: {} }, (one) =>
      one.setRequestHandler(ElicitRequestSchema, (_, { signal }) => {
        signal.addEventListener('abort', () => seen.push('taken back'));
        stop.abort('changed my mind');
        return new Promise(() => {});
      }),
    );
    await expect(
      client.callTool({ name: 'touch', arguments: { file: 'ran.txt' } }, undefined, {
        ...PATIENT,
        signal: stop.signal,
      }),
    ).rejects.toThrow('changed my mind');
    await vi.waitFor(() => expect(seen).toEqual(['taken back']), PATIENT);
    await client.ping(PATIENT);
    expect(at.has('ran.txt')).toBe(false);
  });
});

describe('hooks that disagree', () => {
  const ANSWERS = { elicitation: {} };
  /** What ran after two calls, and how many questions the user got; every question is declined. */
  const called = async (...all: string[]) => {
    const at = ground(hooks(...all));
    let questions = 0;
    const { client } = await connected(proxied(at, ['--', ...program()]), ANSWERS, (one) =>
      one.setRequestHandler(ElicitRequestSchema, () => {
        questions += 1;
        return { action: 'decline' };
      }),
    );
    for (const file of ['no.txt', 'yes.txt'])
      await client.callTool({ name: 'touch', arguments: { file } }, undefined, PATIENT);
    return { ran: ['no.txt', 'yes.txt'].filter((file) => at.has(file)), questions };
  };
  const isNo = `event.payload.input.file === 'no.txt'`;

  test('a call that a hook approved is refused by a permission hook', async () => {
    const veto = hook('tool.permission', `if (${isNo}) return { kind: 'deny', reason: 'no' };`);
    const { ran } = await called(hook('tool.before', `return { kind: 'allow' };`), veto);
    expect(ran).toEqual(['yes.txt']);
  });

  test('a question of a hook reaches the user although a permission hook allows every call', async () => {
    const asks = hook('tool.before', `if (${isNo}) return { kind: 'ask', reason: 'sure?' };`);
    const allows = hook('tool.permission', `return { kind: 'allow' };`);
    expect(await called(asks, allows)).toEqual({ ran: ['yes.txt'], questions: 1 });
  });
});

describe('tools that hooks provide', () => {
  const PLUGIN = `import { tool } from '@opencode-ai/plugin';
    const made = { description: 'adds', args: { a: tool.schema.number() }, async execute({ a }) { if (a < 0) throw new Error('too small'); return String(a + 1); } };
    export const plugin = async () => ({ tool: { increment: tool(made), echo: tool(made) } });`;
  const offering = { '.config/opencode/plugin/adds.js': PLUGIN };

  test('tools of hooks are listed after those of the server, which keeps its names, and hooks judge them', async () => {
    const at = ground({
      ...offering,
      ...hooks(
        hook('tool.before', `if (event.payload.input.a === 13) return { kind: 'deny', reason: 'unlucky' };`),
      ),
    });
    const { client } = await connected(proxied(at, ['--', ...program()]));
    const call = (name: string, args: object) =>
      client.callTool({ name, arguments: { ...args } }, undefined, PATIENT);
    const { tools } = await client.listTools({}, PATIENT);
    expect(
      tools
        .filter(({ name }) => ['increment', 'echo'].includes(name))
        .map(({ name, description }) => [name, description]),
    ).toEqual([
      ['echo', undefined],
      ['increment', 'adds'],
    ]);
    expect(textOf(await call('increment', { a: 1 }))).toBe('2');
    expect(textOf(await call('increment', { a: 13 }))).toContain('unlucky');
    expect(await call('increment', { a: -1 })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('too small') as string }],
    });
    expect(textOf(await call('echo', { a: 1 }))).toBe('{"a":1}');
  });

  test('tools of hooks work with a server without tools, and can be disabled', async () => {
    const at = ground(offering);
    const bare = await connected(proxied(at, ['--', ...program('bare')]));
    expect((await bare.client.listTools({}, PATIENT)).tools.map(({ name }) => name)).toEqual([
      'increment',
      'echo',
    ]);
    const without = await connected(proxied(at, ['--no-offers', '--', ...program('bare')]));
    expect(without.client.getServerCapabilities()).toEqual({});
  });
});

test('tools are named after the server in the form that agents use, unless another name is given', async () => {
  const at = ground(hooks(hook('tool.before', `return { kind: 'deny', reason: event.payload.tool };`)));
  const { client } = await connected(proxied(at, ['--', ...program()]));
  const said = textOf(await client.callTool({ name: 'echo', arguments: {} }, undefined, PATIENT));
  expect(said).toContain('mcp__full_server__echo was blocked');
});
