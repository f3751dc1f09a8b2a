import { expect, test } from 'vitest';
import { somebody, stage } from './fixtures/stage.ts';

test('an allow rule is not reported as the reason for a question that a hook asks', async () => {
  const asked: { reasons?: unknown }[] = [];
  const ground = stage();
  const agent = await ground.open(
    [{ calls: [{ tool: 'shell', input: { command: 'true' } }] }, { text: 'ok' }],
    {
      person: somebody(['once'], asked),
      settings: { permission: { mode: 'ask', allow: ['shell(true)'], ask: [], deny: [] } },
      permission: 'ask',
      hooks: { hooks: { 'tool.before': () => ({ kind: 'ask', reason: 'the hook wants to know' }) } },
    },
  );
  await agent.prompt('go');
  expect(asked.map(({ reasons }) => reasons)).toEqual([['the hook wants to know']]);
});
