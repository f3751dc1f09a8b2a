import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { Command, interrupt, MemorySaver } from '@langchain/langgraph';
import { createHooks } from 'anyhook';
import { LANGCHAIN_CAN, hookMiddleware } from 'anyhook/langchain';
import { createDeepAgent } from 'deepagents';
import {
  AIMessage,
  createAgent,
  createMiddleware,
  HumanMessage,
  tool,
  toolErrorMiddleware,
  ToolMessage,
} from 'langchain';
import { z } from 'zod';
import { EXAMPLE_CALLS, runExample, runScenarios } from './scenarios.mjs';

/** Plays its turns: lists of calls, then a sentence. */
class Scripted extends BaseChatModel {
  constructor(turns) {
    super({});
    this.turns = turns;
    this.requests = [];
  }
  _llmType() {
    return 'scripted';
  }
  bindTools() {
    return this;
  }
  async _generate(messages) {
    this.requests.push(messages);
    const tool_calls = this.turns.shift() ?? [];
    const message = new AIMessage({ content: tool_calls.length === 0 ? 'done' : '', tool_calls });
    return { generations: [{ text: '', message }] };
  }
}

const isDeep = process.argv[3] === 'deep';
const toolThat = (readFile) =>
  tool(async ({ path }) => readFile(path), {
    name: 'read',
    description: 'reads a file',
    schema: z.object({ path: z.string() }),
  });
const callsOf = (calls) => calls.map((args, i) => ({ name: 'read', args, id: `c${i}`, type: 'tool_call' }));
async function runAgent({ hooks, calls, answer, readFile, mode }) {
  const read = toolThat(readFile);
  const reads = callsOf(calls);
  const parts = { ToolMessage, ...(answer !== undefined && { interrupt }) };
  const own = createMiddleware(hookMiddleware(hooks, parts));
  // As LangChain shows errors to the model. Hooks come first, so that they read the error.
  const middleware = [own, toolErrorMiddleware({ onError: ({ message }) => message })];
  const model = new Scripted([reads]);
  const task = { description: 'go', subagent_type: 'reader' };
  const subagents = [
    { name: 'reader', description: 'reads', systemPrompt: 'Read.', model, tools: [read], middleware },
  ];
  // The call of a subagent stops and continues with it. That is not a failure of the call.
  const failures = [];
  const around = await createHooks({
    host: { name: 'peer', can: LANGCHAIN_CAN },
    settings: false,
    journal: false,
    hooks: { 'tool.failed': ({ payload }) => void failures.push(payload.error) },
  });
  const agent = isDeep
    ? createDeepAgent({
        middleware: [createMiddleware(hookMiddleware(around, { ToolMessage, interrupt }))],
        model: new Scripted([[{ name: 'task', args: task, id: 't1', type: 'tool_call' }]]),
        checkpointer: new MemorySaver(),
        subagents,
      })
    : createAgent({ model, tools: [read], middleware, checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: 'one' } };
  const run = async (input) => {
    if (mode === 'complete') return agent.invoke(input, config);
    for await (const chunk of await agent.stream(input, config)) void chunk;
    return undefined;
  };
  await run({ messages: [new HumanMessage('go')] });
  const state = await (agent.graph ?? agent).getState(config);
  const questions = state.tasks.flatMap(({ interrupts }) => interrupts);
  if (questions.length > 0)
    await run(new Command({ resume: { decisions: [{ type: answer ? 'approve' : 'reject' }] } }));
  await around.close();
  if (failures.length > 0) throw new Error(`reported as failures: ${failures.join('; ')}`);
  const results = model.requests.at(-1).filter((message) => ToolMessage.isInstance(message));
  return { modelReads: results.map(({ content }) => content), questions: questions.length };
}
if (process.argv[2] === 'example') {
  const { answer } = await import('./examples/langchain.mjs');
  await runExample(answer, new Scripted([callsOf(EXAMPLE_CALLS)]), (readFile) => [toolThat(readFile)]);
}
await runScenarios(LANGCHAIN_CAN, runAgent, isDeep ? ['complete'] : ['complete', 'streamed']);
