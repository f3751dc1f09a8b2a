import type { ToolColumn } from '../../../events/tools.ts';

/** Tool names and arguments from the document and its scripts. Other Opta tools keep the host's names. */
export const tools: ToolColumn = {
  shell: { names: ['run_command'], args: { command: ['command'] } },
  read: { names: ['read_file'], args: { path: ['path'] } },
  write: { names: ['write_file'], args: { path: ['path'], content: ['content'] } },
  edit: { names: ['edit_file'], args: { path: ['path'] } },
  'multi-edit': { names: ['multi_edit'], args: { path: ['path'] } },
  patch: null,
  editor: null,
  glob: null,
  grep: null,
  fetch: null,
  task: null,
  todo: null,
};

export const otherTools =
  'list_dir search_files find_files web_search web_fetch delete_file ask_user spawn_agent'.split(' ');
