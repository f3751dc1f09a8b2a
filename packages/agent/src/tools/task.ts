import { z } from 'zod';
import { defineTool, failed } from './tool.ts';

export const task = defineTool({
  name: 'task',
  description:
    'Gives a piece of work to another agent with a conversation of its own; it answers with its result only.',
  schema: z.object({
    description: z.string().describe('In a few words'),
    prompt: z.string().min(1).describe('Everything it must know: it has not seen this conversation'),
    type: z.string().min(1).default('general'),
  }),
  async execute({ description, prompt, type }, scene) {
    if (scene.task === undefined) return failed('A subagent cannot start further subagents: do it yourself.');
    try {
      const output = await scene.task(type, prompt);
      return { output: output || '(it answered nothing)', title: description, metadata: { type } };
    } catch (error) {
      scene.signal.throwIfAborted();
      return failed(`The subagent failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  },
});
