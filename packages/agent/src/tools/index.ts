import { z } from 'zod';
import { fetchTool } from './fetch.ts';
import { impossible, type PlanChange, previewOf } from './file-change.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { multiEdit } from './multi-edit.ts';
import { readText } from './read-text.ts';
import { read } from './read.ts';
import { editSchema, replaceText } from './replace-text.ts';
import { resolvePath } from './resolve-path.ts';
import { shell } from './shell.ts';
import { storing } from './store-text.ts';
import { todoSchema } from './todo-list.ts';
import { type AgentTool, defineTool, failed } from './tool.ts';
import { write } from './write.ts';

const schema = z.object({ path: z.string().min(1), ...editSchema.shape });

const plan: PlanChange<z.infer<typeof schema>> = async ({ path, ...change }, { cwd, signal }) => {
  const file = resolvePath(cwd, path);
  const found = await readText(file, signal);
  if (found.kind !== 'text') return impossible(found.why);
  const replaced = replaceText(found.text, change);
  if (replaced.kind === 'refused') return impossible(`${file}: ${replaced.why}`);
  const summary = `Edited ${file}: ${replaced.count} replaced.`;
  return { kind: 'change', file, before: found.text, after: replaced.text, summary: summary };
};

const edit = defineTool({
  name: 'edit',
  description: 'Replaces an exact piece of text in a file. It must occur once, unless all is set.',
  schema,
  preview: previewOf(plan),
  execute: storing(plan),
});

const task = defineTool({
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

const MARKS = { pending: '[ ]', in_progress: '[>]', completed: '[x]', cancelled: '[-]' } as const;

const todo = defineTool({
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

/** The built-in tools, under the names of the tool table. */
export const ownTools = (): AgentTool[] => [
  read,
  write,
  edit,
  multiEdit,
  shell,
  glob,
  grep,
  fetchTool,
  task,
  todo,
];
