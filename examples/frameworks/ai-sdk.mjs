import { generateText, stepCountIs, wrapLanguageModel } from 'ai';
import { createHooks } from 'anyhook';
import { AI_SDK_CAN, hookMiddleware, toolApproval, wrapTools } from 'anyhook/ai-sdk';

export async function answer(model, tools, prompt) {
  const hooks = await createHooks({ host: { name: 'my-agent', can: AI_SDK_CAN } });
  const { text } = await generateText({
    model: wrapLanguageModel({ model, middleware: hookMiddleware(hooks) }),
    tools: wrapTools(tools, hooks, { approvals: true }),
    toolApproval: toolApproval(hooks),
    stopWhen: stepCountIs(20),
    prompt,
  });
  await hooks.close();
  return text;
}
