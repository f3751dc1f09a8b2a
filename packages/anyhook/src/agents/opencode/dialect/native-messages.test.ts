import { describe, expect, test } from 'vitest';
import type { Fields } from '../../../events/effects.ts';
import type { Outcome } from '../../../events/outcome.ts';
import { ourMessages as fromPi, theirMessages as inPi } from '../../oh-my-pi/dialect/messages.ts';
import { opencode } from './index.ts';
import type { OpenCodeMessage } from './messages.ts';

const ids = (messageID: string, id: string) => ({ id, sessionID: 'ses_1', messageID });
const info = (id: string, role: string) => ({
  id,
  sessionID: 'ses_1',
  role,
  time: { created: 7 },
  agent: 'build',
});
const state = {
  status: 'completed',
  input: { filePath: 'a.txt' },
  output: 'KEY',
  title: 'a.txt',
  metadata: { lines: 1 },
  time: { start: 1, end: 2 },
};
const NATIVE: readonly OpenCodeMessage[] = [
  {
    info: info('m1', 'user'),
    parts: [{ ...ids('m1', 'p1'), type: 'text', text: 'say KEY', synthetic: true }],
  },
  {
    info: { ...info('m2', 'assistant'), cost: 3 },
    parts: [
      { ...ids('m2', 'p2'), type: 'step-start', snapshot: 'abc' },
      { ...ids('m2', 'p3'), type: 'reasoning', text: 'hm', time: { start: 5 } },
      { ...ids('m2', 'p4'), type: 'tool', callID: 'c1', tool: 'read', state },
      { ...ids('m2', 'p5'), type: 'text', text: 'done' },
    ],
  },
];
const read = () =>
  opencode.payload.read({
    name: 'experimental.chat.messages.transform',
    input: {},
    output: { messages: NATIVE },
    directory: '/p',
  });
/** The messages that OpenCode would receive after hooks changed them. */
function left(messages: readonly unknown[]): unknown {
  const event = read();
  const reply = opencode.output.write({ payload: { messages }, forModel: [] } as unknown as Outcome, event);
  return reply.kind === 'returned' ? (reply.args[1] as Fields)['messages'] : reply;
}
const own = () => (read().payload as { messages: readonly Fields[] }).messages;

describe('messages of OpenCode as the host', () => {
  test('native messages are converted to our format, with our names of tools and arguments', () => {
    expect(own()).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'say KEY' }], id: 'm1', timestamp: 7 },
      {
        role: 'assistant',
        content: [
          { type: 'step-start', snapshot: 'abc' },
          { type: 'thinking', thinking: 'hm' },
          { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a.txt' } },
          { type: 'text', text: 'done' },
        ],
        id: 'm2',
        timestamp: 7,
      },
      {
        role: 'toolResult',
        toolCallId: 'c1',
        toolName: 'read',
        content: [{ type: 'text', text: 'KEY' }],
        isError: false,
        details: { lines: 1 },
      },
    ]);
  });

  test('unchanged native messages are the same objects afterwards', () => {
    const back = left(own()) as readonly unknown[];
    expect(back).toEqual(NATIVE);
    expect(back.map((message, at) => message === NATIVE[at])).toEqual([true, true]);
  });

  test('a redactor of oh-my-pi changes text, arguments and results, and nothing else', () => {
    const shown = JSON.parse(
      JSON.stringify(inPi(own())).replaceAll('KEY', '***').replaceAll('a.txt', 'b.txt'),
    );
    expect(left(fromPi(shown, own()) as readonly unknown[])).toEqual(
      NATIVE.map(({ info: about, parts }) => ({
        info: about,
        parts: parts.map((part) => {
          if (part['type'] === 'text')
            return { ...part, text: String(part['text']).replaceAll('KEY', '***') };
          if (part['type'] !== 'tool') return part;
          return { ...part, state: { ...state, input: { filePath: 'b.txt' }, output: '***' } };
        }),
      })),
    );
  });

  test('added and removed parts and new messages are converted exactly', () => {
    const [first, second, ...rest] = own() as readonly (Fields & { content: unknown[] })[];
    const pushed = { ...first!, content: [...first!.content, { type: 'text', text: 'more' }] };
    const without = { ...second!, content: second!.content.slice(0, 3) };
    const fresh = { role: 'user', content: 'new' };
    const [a, b, c] = left([pushed, without, ...rest, fresh]) as readonly OpenCodeMessage[];
    expect(a).toEqual({
      ...NATIVE[0],
      parts: [
        NATIVE[0]!.parts[0],
        { id: expect.any(String), sessionID: 'ses_1', messageID: 'm1', type: 'text', text: 'more' },
      ],
    });
    expect(b).toEqual({ ...NATIVE[1], parts: NATIVE[1]!.parts.slice(0, 3) });
    expect([c!.info['role'], c!.parts.map(({ text }) => text)]).toEqual(['user', ['new']]);
  });
});
