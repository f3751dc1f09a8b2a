import type { ToolColumn } from '../../../events/tools.ts';

/** Cursor's names, as its documents and published hooks have them. */
export const tools: ToolColumn = {
  shell: { names: ['Shell'], args: { command: ['command'], cwd: ['working_directory'] } },
  read: { names: ['Read'], args: { path: ['file_path'], offset: ['offset'], limit: ['limit'] } },
  write: { names: ['Write'], args: { path: ['file_path'], content: ['content'] } },
  edit: {
    names: ['StrReplace', 'Edit'],
    args: { path: ['file_path'], old: ['old_string'], new: ['new_string'], all: ['replace_all'] },
  },
  'multi-edit': null,
  patch: null,
  editor: null,
  glob: { names: ['Glob'], args: { pattern: ['pattern'], path: ['path'] } },
  grep: { names: ['Grep'], args: { pattern: ['pattern'], path: ['path'], glob: ['glob'] } },
  fetch: { names: ['WebFetch'], args: { url: ['url'] } },
  task: {
    names: ['Task'],
    args: { description: ['description'], prompt: ['prompt'], type: ['subagent_type'] },
  },
  todo: null,
};

export const otherTools = ['Delete', 'SemanticSearch', 'WebSearch'];
