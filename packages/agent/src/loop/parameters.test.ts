/** Model parameters that hooks set reach the request to the provider. */

import { set } from 'anyhook';
import { expect, test } from 'vitest';
import { stage } from './fixtures/stage.ts';

test('options that a plugin sets without a provider name reach the active provider', async () => {
  const ground = stage();
  const bodies: Record<string, unknown>[] = [];
  const agent = await ground.open([], {
    model: 'openai:gpt-5',
    env: { PATH: process.env['PATH'], HOME: ground.home, OPENAI_API_KEY: 'none' },
    fetch: async (_, init) => {
      bodies.push(JSON.parse(String(init?.body)) as Record<string, unknown>);
      return Response.json({ error: { message: 'enough seen' } }, { status: 400 });
    },
    hooks: {
      hooks: {
        'model.parameters': () => [set('options', 'reasoningEffort', 'low'), set('maxOutputTokens', 77)],
      },
    },
  });
  await agent.prompt('go');
  expect(bodies.map(({ reasoning, max_output_tokens: most }) => ({ reasoning, most }))).toEqual([
    { reasoning: { effort: 'low' }, most: 77 },
  ]);
});
