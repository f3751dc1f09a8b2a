import type { ToolColumn } from '../../../events/tools.ts';

/** Gemini CLI's own names (0.61.0). */
export const tools: ToolColumn = {
  shell: {
    names: ['run_shell_command'],
    args: {
      command: ['command'],
      description: ['description'],
      cwd: ['dir_path', 'directory'],
      background: ['is_background'],
    },
  },
  read: { names: ['read_file'], args: { path: ['file_path'], offset: ['start_line'] } },
  write: { names: ['write_file'], args: { path: ['file_path'], content: ['content'] } },
  edit: {
    names: ['replace'],
    args: { path: ['file_path'], old: ['old_string'], new: ['new_string'], all: ['allow_multiple'] },
  },
  'multi-edit': null,
  patch: null,
  editor: null,
  glob: { names: ['glob'], args: { pattern: ['pattern'], path: ['dir_path'] } },
  grep: {
    names: ['grep_search', 'search_file_content'],
    args: { pattern: ['pattern'], path: ['dir_path'], glob: ['include_pattern', 'include'] },
  },
  fetch: { names: ['web_fetch'], args: { prompt: ['prompt'] } },
  task: { names: ['invoke_agent'], args: { prompt: ['prompt'], type: ['agent_name'] } },
  todo: { names: ['write_todos'], args: { todos: ['todos'] } },
  mcp: { prefix: 'mcp_', between: '_' },
};

export const otherTools =
  'list_directory read_many_files google_web_search save_memory activate_skill ask_user enter_plan_mode exit_plan_mode get_internal_docs complete_task'.split(
    ' ',
  );
