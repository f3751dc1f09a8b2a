import { generateText, type ModelMessage, stepCountIs, streamText, tool, type ToolSet } from 'ai';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { allow, ask, deny, set } from '../../events/effects.ts';
import type { Callbacks, Options } from '../../gather/options.ts';
import { hooksWith, personWho, playing } from './fixtures/mock.ts';
import { wrapTools } from './wrap-tools.ts';

/** A tool that records its input. */
function shell(own: Partial<ToolSet[string]> = {}) {
  const ran: unknown[] = [];
  const execute = async (input: { command: string }) => {
    ran.push(input);
    return `ran ${input.command}`;
  };
  return {
    ran,
    tools: { shell: tool({ inputSchema: z.object({ command: z.string() }), execute, ...own } as never) },
  };
}

const CALL = { tool: 'shell', input: { command: 'deploy' } };
async function firstAnswer(tools: ToolSet) {
  const result = await generateText({
    model: playing(CALL, { text: 'done' }),
    tools,
    prompt: 'go',
    stopWhen: stepCountIs(3),
  });
  const requests = result.steps.flatMap(({ content }) =>
    content.filter(({ type }) => type === 'tool-approval-request'),
  );
  const outputs = result.steps.flatMap(({ content }) =>
    content.flatMap((part) =>
      part.type === 'tool-result'
        ? [part.output]
        : part.type === 'tool-error'
          ? [(part.error as Error).message]
          : [],
    ),
  );
  return {
    requests,
    outputs,
    messages: [{ role: 'user', content: 'go' } as ModelMessage, ...result.response.messages],
  };
}
/** Sends the user's answer in a second request, as a stateless server receives it. */
async function answered(tools: ToolSet, messages: ModelMessage[], approved: boolean) {
  const [request] = messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((part) => (part.type === 'tool-approval-request' ? [part] : [])),
  );
  const response = { type: 'tool-approval-response' as const, approvalId: request!.approvalId, approved };
  const model = playing({ text: 'done' });
  await generateText({ model, tools, messages: [...messages, { role: 'tool', content: [response] }] });
  return model.doGenerateCalls[0]!.prompt.flatMap((message) =>
    message.role === 'tool' ? message.content : [],
  ).map((part) => (part.type === 'tool-result' ? part.output : part.type));
}
const wrap = async (tools: ToolSet, callbacks: Callbacks, more: Partial<Options> = {}) =>
  wrapTools(tools, await hooksWith(callbacks, more), { approvals: true });
const asking: Callbacks = { 'tool.before': () => ask('it goes out') };

test('a question of a hook becomes an approval request, and the call runs when the user approves', async () => {
  const { ran, tools } = shell();
  const first = await firstAnswer(await wrap(tools, asking));
  expect(first.requests).toHaveLength(1);
  expect(ran).toEqual([]);
  // New hooks without memory: only the conversation remains.
  expect(await answered(await wrap(tools, asking), first.messages, true)).toContainEqual({
    type: 'text',
    value: 'ran deploy',
  });
  expect(ran).toEqual([{ command: 'deploy' }]);
});

test('a denied approval keeps the call from running', async () => {
  const { ran, tools } = shell();
  const first = await firstAnswer(await wrap(tools, asking));
  await answered(await wrap(tools, asking), first.messages, false);
  expect(ran).toEqual([]);
});

test('without `approvals` a question refuses the call', async () => {
  const { ran, tools } = shell();
  const { requests, outputs } = await firstAnswer(wrapTools(tools, await hooksWith(asking)));
  expect({ requests, outputs, ran }).toEqual({
    requests: [],
    outputs: ["shell needs the user's consent: it goes out"],
    ran: [],
  });
});

test('an approval covers only the input that was shown, not a later change by a hook', async () => {
  const { ran, tools } = shell();
  const first = await firstAnswer(await wrap(tools, asking));
  const changing: Callbacks = {
    'tool.before': [() => ask('it goes out'), () => set('input', 'command', 'deploy --all')],
  };
  const told = await answered(await wrap(tools, changing), first.messages, true);
  expect(JSON.stringify(told)).toContain("needs the user's consent");
  expect(ran).toEqual([]);
});

test('a call that hooks changed and ask about is not shown in its original form: it is refused, or the host asks', async () => {
  const changing: Callbacks = {
    'tool.before': [() => ask('it goes out'), () => set('input', 'command', 'deploy --dry')],
  };
  const nobody = shell();
  const refused = await firstAnswer(await wrap(nobody.tools, changing));
  expect(refused.requests).toEqual([]);
  expect(refused.outputs).toEqual([expect.stringContaining("needs the user's consent")]);
  expect(nobody.ran).toEqual([]);

  const confirmed = shell();
  const ui = personWho(async () => true);
  const { outputs } = await firstAnswer(await wrap(confirmed.tools, changing, { services: { ui } }));
  expect({ outputs, ran: confirmed.ran }).toEqual({
    outputs: ['ran deploy --dry'],
    ran: [{ command: 'deploy --dry' }],
  });
});

test('a refusal does not become a question', async () => {
  const { ran, tools } = shell();
  const { requests, outputs } = await firstAnswer(await wrap(tools, { 'tool.before': () => deny('never') }));
  expect({ requests, outputs, ran }).toEqual({
    requests: [],
    outputs: ['shell was blocked: never'],
    ran: [],
  });
});

test('hooks run once for a call that needs no approval', async () => {
  const { ran, tools } = shell();
  let fired = 0;
  await firstAnswer(await wrap(tools, { 'tool.before': () => void fired++ }));
  expect({ fired, ran }).toEqual({ fired: 1, ran: [{ command: 'deploy' }] });
});

test('a tool that requires approval still does, whatever a hook allows', async () => {
  const { ran, tools } = shell({ needsApproval: true });
  const first = await firstAnswer(await wrap(tools, { 'tool.before': () => allow() }));
  expect(first.requests).toHaveLength(1);
  await answered(await wrap(tools, {}), first.messages, true);
  expect(ran).toEqual([{ command: 'deploy' }]);
});

test('an approval of a tool’s own question does not cover a change by a hook', async () => {
  const { ran, tools } = shell({ needsApproval: true });
  const first = await firstAnswer(
    await wrap(tools, { 'tool.before': () => set('input', 'command', 'deploy --all') }),
  );
  expect(first.requests).toEqual([]);
  expect(first.outputs).toEqual([expect.stringContaining("needs the user's consent")]);
  expect(ran).toEqual([]);
});

test('questions become approval requests while streaming too', async () => {
  const { ran, tools } = shell();
  const result = streamText({ model: playing(CALL), tools: await wrap(tools, asking), prompt: 'go' });
  const types: string[] = [];
  for await (const { type } of result.fullStream) types.push(type);
  expect(types).toContain('tool-approval-request');
  expect(ran).toEqual([]);
});
