import { expect, test } from 'vitest';
import { stage } from './fixtures/stage.ts';

test('the history of a reopened session has messages and tool calls, and no hidden messages', async () => {
  const ground = stage();
  const first = await ground.open([
    { thinking: 'hm', text: 'I look.', calls: [{ tool: 'shell', input: { command: 'echo hi' } }] },
    { text: 'Done.' },
  ]);
  await first.prompt('look');
  first.send({ customType: 'note', content: 'shown', display: true }, { trigger: false });
  first.send({ customType: 'note', content: 'hidden', display: false }, { trigger: false });
  await first.close();
  const again = await ground.open([], { start: 'continue' });
  expect(again.past()).toEqual([
    { kind: 'prompt', text: 'look' },
    { kind: 'said', text: 'I look.' },
    { kind: 'tool', call: 'call-1', tool: 'shell', input: { command: 'echo hi' } },
    {
      kind: 'tool-ended',
      call: 'call-1',
      tool: 'shell',
      output: expect.stringContaining('hi'),
      isError: false,
    },
    { kind: 'said', text: 'Done.' },
    {
      kind: 'custom',
      type: 'note',
      message: { customType: 'note', content: 'shown', display: true, details: undefined },
    },
  ]);
});
