import type { ToolColumn } from '../../../events/tools.ts';

/** Tool names of OpenCode 1.18, followed by those of OpenCode 2. Its documentation uses `path` where the agent uses `filePath`; both are sent. */
export const tools: ToolColumn = {
  shell: {
    names: ['bash', 'shell'],
    args: { command: ['command'], timeout: ['timeout'], description: ['description'], cwd: ['workdir'] },
  },
  read: { names: ['read'], args: { path: ['filePath', 'path'], offset: ['offset'], limit: ['limit'] } },
  write: { names: ['write'], args: { path: ['filePath', 'path'], content: ['content'] } },
  edit: {
    names: ['edit'],
    args: {
      path: ['filePath', 'path'],
      old: ['oldString'],
      new: ['newString'],
      all: ['replaceAll'],
    },
  },
  'multi-edit': { names: ['multiedit'], args: { path: ['filePath', 'path'], edits: ['edits'] } },
  patch: { names: ['apply_patch', 'patch'], args: { patch: ['patchText'] } },
  editor: null,
  glob: { names: ['glob'], args: { pattern: ['pattern'], path: ['path'] } },
  grep: { names: ['grep'], args: { pattern: ['pattern'], path: ['path'], glob: ['include'] } },
  fetch: { names: ['webfetch'], args: { url: ['url'], prompt: ['prompt'], format: ['format'] } },
  task: {
    names: ['task', 'subagent'],
    args: { description: ['description'], prompt: ['prompt'], type: ['subagent_type', 'agent'] },
  },
  todo: { names: ['todowrite'], args: { todos: ['todos'] } },
  mcp: { prefix: '', between: '_', isAnybodys: true },
};

export const otherTools =
  'list websearch codesearch todoread skill lsp question batch plan_enter plan_exit'.split(' ');
