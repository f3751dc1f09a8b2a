/** Your users' hooks in an agent made with the AI SDK: around its tools and around its model. */

import { generateText, stepCountIs, type ToolSet, wrapLanguageModel } from 'ai';
import { createHooks } from 'anyhook';
import { AI_SDK_CAN, hookMiddleware, wrapTools } from 'anyhook/ai-sdk';

export type Model = Parameters<typeof wrapLanguageModel>[0]['model'];

/** `where`: the project and the home folder; left out, those of the process. */
export async function answer(
  model: Model,
  tools: ToolSet,
  prompt: string,
  where: { cwd?: string; home?: string } = {},
) {
  const hooks = await createHooks({ host: { name: 'my-agent', can: AI_SDK_CAN }, ...where });
  const { text } = await generateText({
    model: wrapLanguageModel({ model, middleware: hookMiddleware(hooks) }),
    tools: wrapTools(tools, hooks),
    stopWhen: stepCountIs(20),
    prompt,
  });
  await hooks.close();
  return text;
}
