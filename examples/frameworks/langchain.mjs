import { interrupt, MemorySaver } from '@langchain/langgraph';
import { createHooks } from 'anyhook';
import { langChainMiddleware, LANGCHAIN_CAN } from 'anyhook/langchain';
import { createAgent, createMiddleware, ToolMessage } from 'langchain';

export async function answer(model, tools, prompt) {
  const hooks = await createHooks({ host: { name: 'my-agent', can: LANGCHAIN_CAN } });
  const agent = createAgent({
    model,
    tools,
    middleware: [createMiddleware(langChainMiddleware(hooks, { ToolMessage, interrupt }))],
    checkpointer: new MemorySaver(),
  });
  const messages = [{ role: 'user', content: prompt }];
  const result = await agent.invoke({ messages }, { configurable: { thread_id: 'one' } });
  await hooks.close();
  return result.messages.at(-1).text;
}
