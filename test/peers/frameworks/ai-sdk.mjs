import { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import { AI_SDK_CAN, hookMiddleware, toolApproval, wrapTools } from 'anyhook/ai-sdk';
import { EXAMPLE_CALLS, runExample, runScenarios } from './scenarios.mjs';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
/** Requests all calls at once, then says one sentence. */
function scripted(calls) {
  let turn = 0;
  const prompts = [];
  const respond = ({ prompt }) => {
    prompts.push(prompt);
    const isFirst = turn++ === 0;
    const content = isFirst
      ? calls.map((input, i) => ({
          type: 'tool-call',
          toolCallId: `c${i}`,
          toolName: 'read',
          input: JSON.stringify(input),
        }))
      : [{ type: 'text', text: 'done' }];
    return { content, finishReason: { unified: isFirst ? 'tool-calls' : 'stop', raw: undefined }, usage };
  };
  const model = new MockLanguageModelV4({
    doGenerate: async (options) => ({ ...respond(options), warnings: [] }),
    doStream: async (options) => {
      const { content, finishReason } = respond(options);
      const parts = content.flatMap((part) =>
        part.type === 'text'
          ? [
              { type: 'text-start', id: 't' },
              { type: 'text-delta', id: 't', delta: part.text },
              { type: 'text-end', id: 't' },
            ]
          : [part],
      );
      const chunks = [
        { type: 'stream-start', warnings: [] },
        ...parts,
        { type: 'finish', finishReason, usage },
      ];
      return { stream: simulateReadableStream({ chunks }) };
    },
  });
  return { model, prompts };
}

const toolThat = (readFile) => ({
  read: tool({
    inputSchema: jsonSchema({ type: 'object', properties: { path: { type: 'string' } } }),
    execute: async ({ path }) => readFile(path),
  }),
});
const agentOf =
  (isWrapped) =>
  async ({ hooks, calls, answer, readFile, mode }) => {
    const plain = toolThat(readFile);
    const { model, prompts } = scripted(calls);
    const run = async (messages) => {
      const how = mode === 'streamed' ? streamText : generateText;
      const result = await how({
        model: wrapLanguageModel({ model, middleware: hookMiddleware(hooks) }),
        tools: isWrapped
          ? wrapTools(plain, hooks, { ...(answer !== undefined && { approvals: true }) })
          : plain,
        // Without anybody who answers, a question must reach `wrapTools`, which refuses it.
        ...((answer !== undefined || !isWrapped) && { toolApproval: toolApproval(hooks) }),
        messages,
        stopWhen: stepCountIs(3),
      });
      if (mode === 'streamed') await result.consumeStream();
      return { messages: [...messages, ...(await result.response).messages], steps: await result.steps };
    };
    const first = await run([{ role: 'user', content: 'go' }]);
    const requests = first.steps.flatMap(({ content }) =>
      content.filter(({ type, isAutomatic }) => type === 'tool-approval-request' && isAutomatic !== true),
    );
    if (requests.length > 0 && answer !== undefined) {
      const content = requests.map(({ approvalId }) => ({
        type: 'tool-approval-response',
        approvalId,
        approved: answer,
      }));
      await run([...first.messages, { role: 'tool', content }]);
    }
    const results = prompts
      .at(-1)
      .flatMap(({ role, content }) =>
        role === 'tool'
          ? content.filter(({ type }) => type === 'tool-result').map(({ output }) => output)
          : [],
      );
    const texts = prompts
      .at(-1)
      .flatMap(({ role, content }) => (role === 'user' ? content.map(({ text }) => text) : []))
      .filter((text) => text.startsWith('<context>'));
    return {
      modelReads: [...results.map(({ value, reason, type }) => value ?? reason ?? type), ...texts],
      questions: requests.length,
    };
  };
if (process.argv[2] === 'example') {
  const { answer } = await import('./examples/ai-sdk.mjs');
  await runExample(answer, scripted(EXAMPLE_CALLS).model, toolThat);
}
await runScenarios(AI_SDK_CAN, agentOf(process.argv[3] !== 'alone'), ['complete', 'streamed']);
