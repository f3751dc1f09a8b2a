import { expect, test } from 'vitest';
import { ourMessages, theirMessages } from './messages.ts';

const CALL = { type: 'toolCall', id: 'c1', name: 'shell', arguments: { command: 'ls' } };
const OURS = [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: [{ type: 'text', text: 'now' }, CALL], usage: { input: 3, output: 4 } },
  { role: 'toolResult', toolCallId: 'c1', toolName: 'shell', content: [{ type: 'text', text: 'a' }] },
  { role: 'toolResult', toolCallId: 'c2', toolName: 'mine', content: [] },
];

test("messages have oh-my-pi's tool names and complete usage", () => {
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

test("unchanged messages are the host's own again, and changed ones keep the host's names", () => {
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

test("arguments have oh-my-pi's names, and changes are converted back to the host's", () => {
  const edit = { type: 'toolCall', id: 'e', name: 'edit', arguments: { path: 'a', old: 'KEY', new: 'x' } };
  const host = [{ role: 'assistant', content: [edit] }];
  const shown = theirMessages(host) as { content: { arguments: Record<string, string> }[] }[];
  const args = shown[0]!.content[0]!.arguments;
  expect(args).toEqual({ path: 'a', old_text: 'KEY', oldText: 'KEY', new_text: 'x', newText: 'x' });
  shown[0]!.content[0]!.arguments = { ...args, old_text: '***', oldText: '***' };
  expect(ourMessages(shown, host)).toEqual([
    { role: 'assistant', content: [{ ...edit, arguments: { path: 'a', old: '***', new: 'x' } }] },
  ]);
});

test("messages of the AI SDK are converted to oh-my-pi's format and back", () => {
  const call = { type: 'tool-call', toolCallId: 'c', toolName: 'shell', input: { command: 'cat KEY' } };
  const result = {
    type: 'tool-result',
    toolCallId: 'c',
    toolName: 'shell',
    output: { type: 'text', value: 'KEY' },
  };
  const cache = { providerOptions: { anthropic: { cacheControl: 'x' } } };
  const host = [
    { role: 'user', content: [{ type: 'text', text: 'my KEY', ...cache }] },
    { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }, call] },
    { role: 'tool', content: [result] },
  ];
  const shown = theirMessages(host) as unknown[];
  expect(shown).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'my KEY' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'toolCall', id: 'c', name: 'bash', arguments: { command: 'cat KEY' } },
      ],
    },
    {
      role: 'toolResult',
      toolCallId: 'c',
      toolName: 'bash',
      content: [{ type: 'text', text: 'KEY' }],
      isError: false,
    },
  ]);
  expect(ourMessages(structuredClone(shown), host)).toEqual(host);
  const redacted = JSON.parse(JSON.stringify(shown).replaceAll('KEY', '***')) as unknown[];
  expect(ourMessages(redacted, host)).toEqual(JSON.parse(JSON.stringify(host).replaceAll('KEY', '***')));
});
