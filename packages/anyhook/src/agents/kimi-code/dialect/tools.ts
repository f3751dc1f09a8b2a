import type { ToolColumn } from '../../../events/tools.ts';

/** Kimi Code's own names (2.1.0). */
export const tools: ToolColumn = {
  shell: {
    names: ['Bash'],
    args: { command: ['command'], description: ['description'], background: ['run_in_background'] },
  },
  read: { names: ['Read'], args: { path: ['path'], offset: ['line_offset'], limit: ['n_lines'] } },
  write: { names: ['Write'], args: { path: ['path'], content: ['content'] } },
  edit: {
    names: ['Edit'],
    args: { path: ['path'], old: ['old_string'], new: ['new_string'], all: ['replace_all'] },
  },
  'multi-edit': null,
  patch: null,
  editor: null,
  glob: { names: ['Glob'], args: { pattern: ['pattern'], path: ['path'] } },
  grep: { names: ['Grep'], args: { pattern: ['pattern'], path: ['path'], glob: ['glob'] } },
  fetch: { names: ['FetchURL'], args: { url: ['url'] } },
  task: {
    names: ['Agent'],
    args: { description: ['description'], prompt: ['prompt'], type: ['subagent_type'] },
  },
  todo: { names: ['TodoList'], args: { todos: ['todos'] } },
};

export const otherTools = 'WebSearch AskUserQuestion Skill TaskOutput TaskStop'.split(' ');
