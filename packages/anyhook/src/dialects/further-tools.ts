import type { ToolColumn } from '../canon/tools.ts';

/**
 * Spellings of agents that have no dialect here and are heard through another's: Copilot 1.0.102, Grok 1.0.41, Qwen 0.24.4.
 * What they share with a dialect's own column is not said again.
 */
export const furtherTools: ToolColumn = {
  shell: { names: ['run_terminal_command'], args: { command: ['command'] } },
  read: { names: ['view'], args: { path: ['path', 'target_file'] } },
  write: { names: ['create'], args: { path: ['path'], content: ['file_text'] } },
  edit: { names: ['search_replace'], args: { path: ['path'], old: ['old_str'], new: ['new_str'] } },
  'multi-edit': null,
  patch: null,
  editor: null,
  glob: null,
  grep: null,
  fetch: null,
  task: { names: ['agent', 'spawn_subagent'], args: { prompt: ['prompt'], type: ['agent_type'] } },
  todo: null,
};
