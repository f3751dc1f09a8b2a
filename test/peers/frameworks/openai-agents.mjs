import { Agent, Runner, RunState, setTracingDisabled, tool, Usage } from '@openai/agents-core';
import { OPENAI_AGENTS_CAN, wrapTools } from 'anyhook/openai-agents';
import { z } from 'zod';
import { EXAMPLE_CALLS, runExample, runScenarios } from './scenarios.mjs';

setTracingDisabled(true);
const sentence = {
  type: 'message',
  id: 'm1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'done' }],
};
/** Requests all calls at once, then says one sentence. */
function scripted(calls) {
  let turn = 0;
  const requests = [];
  const respond = (request) => {
    requests.push(request);
    const output =
      turn++ === 0
        ? calls.map((input, i) => ({
            type: 'function_call',
            id: `f${i}`,
            callId: `c${i}`,
            name: 'read',
            status: 'completed',
            arguments: JSON.stringify(input),
          }))
        : [sentence];
    return { usage: new Usage(), output };
  };
  return {
    requests,
    getResponse: async (request) => respond(request),
    async *getStreamedResponse(request) {
      const { output } = respond(request);
      const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
      yield { type: 'response_done', response: { id: 'r', usage, output } };
    },
  };
}

const toolThat = (readFile) =>
  tool({
    name: 'read',
    description: 'reads a file',
    parameters: z.object({ path: z.string() }),
    execute: async ({ path }) => readFile(path),
  });
async function runAgent({ hooks, calls, answer, readFile, mode }) {
  const read = toolThat(readFile);
  const options = answer === undefined ? {} : { approvals: true };
  const model = scripted(calls);
  // A new agent for the answer, as in another process.
  const open = () => new Agent({ name: 'a', model, tools: wrapTools([read], hooks, options) });
  const run = async (agent, input) => {
    const result = await new Runner().run(agent, input, { stream: mode === 'streamed' });
    if (mode === 'streamed') for await (const event of result) void event;
    await result.completed;
    return result;
  };
  let result = await run(open(), 'go');
  const questions = result.interruptions.length;
  if (questions > 0) {
    const agent = open();
    const state = await RunState.fromString(agent, result.state.toString());
    for (const item of state.getInterruptions()) state[answer ? 'approve' : 'reject'](item);
    result = await run(agent, state);
  }
  const outputs = model.requests
    .at(-1)
    .input.flatMap((item) => (item.type === 'function_call_result' ? [item.output] : []));
  return { modelReads: outputs.map((output) => output.text ?? output), questions };
}
if (process.argv[2] === 'example') {
  const { answer } = await import('./examples/openai-agents.mjs');
  await runExample(answer, scripted(EXAMPLE_CALLS), (readFile) => [toolThat(readFile)]);
}
await runScenarios(OPENAI_AGENTS_CAN, runAgent, ['complete', 'streamed']);
