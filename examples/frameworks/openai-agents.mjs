import { Agent, Runner } from '@openai/agents-core';
import { createHooks } from 'anyhook';
import { OPENAI_AGENTS_CAN, wrapAgentTools } from 'anyhook/openai-agents';

export async function answer(model, tools, prompt) {
  const hooks = await createHooks({ host: { name: 'my-agent', can: OPENAI_AGENTS_CAN } });
  const agent = new Agent({
    name: 'my-agent',
    model,
    tools: wrapAgentTools(tools, hooks, { approvals: true }),
  });
  const result = await new Runner().run(agent, prompt);
  // Here your program answers `result.interruptions`.
  await hooks.close();
  return result.finalOutput;
}
