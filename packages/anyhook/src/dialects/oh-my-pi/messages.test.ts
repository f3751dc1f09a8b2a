import { expect, test } from 'vitest';
import { ourMessages, theirMessages } from './messages.ts';

const CALL = { type: 'toolCall', id: 'c1', name: 'shell', arguments: { command: 'ls' } };
const OURS = [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: [{ type: 'text', text: 'now' }, CALL], usage: { input: 3, output: 4 } },
  { role: 'toolResult', toolCallId: 'c1', toolName: 'shell', content: [{ type: 'text', text: 'a' }] },
  { role: 'toolResult', toolCallId: 'c2', toolName: 'mine', content: [] },
];

test('messages are shown with oh-my-pi’s names of tools and the whole of its usage', () => {
  expect(theirMessages(OURS)).toEqual([
    OURS[0],
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'now' },
        { ...CALL, name: 'bash' },
      ],
      usage: {
        input: 3,
        output: 4,
        cacheRead: 0,
        cacheWrite: 0,
        totalTokens: 7,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
      },
    },
    { ...OURS[2], toolName: 'bash' },
    OURS[3],
  ]);
});

test('what a handler hands back untouched is the host’s own again, and what it changed keeps the host’s names', () => {
  const shown = theirMessages(OURS) as Record<string, unknown>[];
  expect(ourMessages(structuredClone(shown), OURS)).toEqual(OURS);
  const redacted = shown.map((one) =>
    one['toolCallId'] === 'c1' ? { ...one, content: [{ type: 'text', text: '[redacted]' }] } : one,
  );
  expect(ourMessages(redacted, OURS)).toEqual(
    OURS.map((one) =>
      'toolCallId' in one && one.toolCallId === 'c1'
        ? { ...one, content: [{ type: 'text', text: '[redacted]' }] }
        : one,
    ),
  );
});
