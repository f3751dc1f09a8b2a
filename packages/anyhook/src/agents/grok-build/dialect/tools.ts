import type { ToolColumn } from '../../../events/tools.ts';

/** Grok Build's own names (1.0.41). */
export const tools: ToolColumn = {
  shell: {
    names: ['run_terminal_command'],
    args: { command: ['command'], description: ['description'], background: ['background'] },
  },
  read: { names: ['read_file'], args: { path: ['target_file'], offset: ['offset'], limit: ['limit'] } },
  write: { names: ['write'], args: { path: ['file_path'], content: ['content'] } },
  edit: {
    names: ['search_replace'],
    args: { path: ['file_path'], old: ['old_string'], new: ['new_string'], all: ['replace_all'] },
  },
  'multi-edit': null,
  patch: null,
  editor: null,
  glob: null,
  grep: { names: ['grep'], args: { pattern: ['pattern'], path: ['path'], glob: ['glob'] } },
  fetch: null,
  task: {
    names: ['spawn_subagent'],
    args: { description: ['description'], prompt: ['prompt'], type: ['subagent_type'] },
  },
  todo: { names: ['todo_write'], args: { todos: ['todos'] } },
  mcp: { prefix: '', between: '__' },
};

export const otherTools = 'list_dir web_search web_fetch get_command_output kill_command'.split(' ');
