import type { ToolColumn } from '../../../events/tools.ts';

/**
 * Codex's names for hooks (0.166.0). Every file is written by `apply_patch`, whose one argument `command` holds the
 * patch: what others write by other tools its hooks are told as a patch.
 */
export const tools: ToolColumn = {
  shell: { names: ['Bash'], args: { command: ['command'], description: ['description'] } },
  read: null,
  write: { names: ['apply_patch'], args: {}, as: 'patch' },
  edit: { names: ['apply_patch'], args: {}, as: 'patch' },
  'multi-edit': null,
  patch: { names: ['apply_patch'], args: { patch: ['command'] } },
  editor: null,
  glob: null,
  grep: null,
  fetch: null,
  task: { names: ['spawn_agent'], args: { prompt: ['message'] } },
  todo: { names: ['update_plan'], args: { todos: ['plan'] } },
};

export const otherTools =
  'Edit Write view_image web_search exec_command write_stdin shell local_shell wait_agent close_agent send_input'.split(
    ' ',
  );
