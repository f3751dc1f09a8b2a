import { generateText, stepCountIs, tool, wrapLanguageModel } from 'ai';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { deny, halt } from '../../events/effects.ts';
import type { Callbacks } from '../../gather/options.ts';
import { AI_SDK_CAN } from './can.ts';
import { hooksWith, playing } from './fixtures/mock.ts';
import { hookMiddleware } from './middleware.ts';
import { wrapTools } from './wrap-tools.ts';

async function told(callbacks: Callbacks) {
  const hooks = await hooksWith(callbacks, { host: { name: 'test', can: AI_SDK_CAN } });
  const model = playing({ tool: 'shell', input: { command: 'ls' } }, { text: 'done' });
  const shell = tool({ inputSchema: z.object({ command: z.string() }), execute: async () => 'ran' });
  await generateText({
    model: wrapLanguageModel({ model, middleware: hookMiddleware(hooks) }),
    tools: wrapTools({ shell }, hooks),
    prompt: 'go',
    stopWhen: stepCountIs(3),
  });
  return model.doGenerateCalls
    .at(-1)!
    .prompt.flatMap((message) => (message.role === 'tool' ? message.content : []))
    .map((part) => (part.type === 'tool-result' ? part.output : part));
}

test('a guard of the permission event, which never fires here, guards the call itself', async () => {
  expect(await told({ 'tool.permission': () => deny('not this one') })).toEqual([
    { type: 'error-text', value: 'shell was blocked: not this one' },
  ]);
});

test('a hook that wants to stop the agent at least refuses the call', async () => {
  expect(await told({ 'tool.before': () => halt('enough') })).toEqual([
    { type: 'error-text', value: expect.stringContaining('enough') as string },
  ]);
});

test('the call runs if no hook objects', async () => {
  expect(await told({})).toEqual([{ type: 'text', value: 'ran' }]);
});
