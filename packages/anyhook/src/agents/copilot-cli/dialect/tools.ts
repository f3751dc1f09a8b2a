import type { ToolColumn } from '../../../events/tools.ts';

/** Copilot CLI's tool names (1.0.102): the first for PascalCase hooks, the second for camelCase hooks. */
export const tools: ToolColumn = {
  shell: { names: ['Bash', 'bash'], args: { command: ['command'], description: ['description'] } },
  read: { names: ['Read', 'view'], args: { path: ['path'] } },
  write: { names: ['Write', 'create'], args: { path: ['path'], content: ['file_text'] } },
  edit: { names: ['Edit', 'edit'], args: { path: ['path'], old: ['old_str'], new: ['new_str'] } },
  'multi-edit': null,
  patch: null,
  editor: null,
  glob: { names: ['Glob', 'glob'], args: { pattern: ['pattern'], path: ['paths'] } },
  grep: { names: ['Grep', 'grep'], args: { pattern: ['pattern'], path: ['paths'], glob: ['glob'] } },
  fetch: { names: ['WebFetch', 'web_fetch'], args: { url: ['url'] } },
  task: {
    names: ['Agent', 'task'],
    args: { description: ['description'], prompt: ['prompt'], type: ['agent_type'] },
  },
  todo: null,
  mcp: { prefix: '', between: '-' },
};

export const otherTools = 'read_bash write_bash stop_bash list_bash report_intent store_memory'.split(' ');
