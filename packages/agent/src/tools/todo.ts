import { z } from 'zod';
import { todoSchema } from './todo-list.ts';
import { defineTool } from './tool.ts';

const MARKS = { pending: '[ ]', in_progress: '[>]', completed: '[x]', cancelled: '[-]' } as const;

export const todo = defineTool({
  name: 'todo',
  description:
    'Keeps the list of work: give the whole list each time. Work that is not done is asked for at the end.',
  schema: z.object({ todos: z.array(todoSchema) }),
  async execute({ todos }, scene) {
    scene.todos.replace(todos);
    const lines = todos.map(({ content, status }) => `${MARKS[status]} ${content}`);
    return {
      output: lines.join('\n') || 'The list is empty.',
      title: `${scene.todos.open.length} of ${todos.length} open`,
      metadata: { todos },
    };
  },
});
