import type { ToolColumn } from '../../../events/tools.ts';

/** Qwen Code's own names (0.24.4): those of the Gemini CLI that it grew out of, with an `edit` and an `agent` of its own. */
export const tools: ToolColumn = {
  shell: {
    names: ['run_shell_command'],
    args: {
      command: ['command'],
      description: ['description'],
      cwd: ['directory'],
      background: ['is_background'],
    },
  },
  read: { names: ['read_file'], args: { path: ['file_path'], offset: ['offset'], limit: ['limit'] } },
  write: { names: ['write_file'], args: { path: ['file_path'], content: ['content'] } },
  edit: {
    names: ['edit'],
    args: { path: ['file_path'], old: ['old_string'], new: ['new_string'], all: ['replace_all'] },
  },
  'multi-edit': null,
  patch: null,
  editor: null,
  glob: { names: ['glob'], args: { pattern: ['pattern'], path: ['path'] } },
  grep: { names: ['grep_search'], args: { pattern: ['pattern'], path: ['path'], glob: ['glob'] } },
  fetch: { names: ['web_fetch'], args: { url: ['url'], prompt: ['prompt'] } },
  task: {
    names: ['agent'],
    args: { description: ['description'], prompt: ['prompt'], type: ['subagent_type'] },
  },
  todo: { names: ['todo_write'], args: { todos: ['todos'] } },
};

export const otherTools =
  'list_directory read_many_files save_memory skill exit_plan_mode web_search lsp notebook_edit'.split(' ');
