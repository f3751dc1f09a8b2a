import type { ToolColumn } from '../../../events/tools.ts';

/** Tool names of oh-my-pi 18. `find` and `todo_write` are the former names of `glob` and `todo`. */
export const tools: ToolColumn = {
  shell: { names: ['bash'], args: { command: ['command'], timeout: ['timeout'], cwd: ['cwd'] } },
  read: { names: ['read'], args: { path: ['path'], offset: ['offset'], limit: ['limit'] } },
  write: { names: ['write'], args: { path: ['path'], content: ['content'] } },
  // By replacement. In its patch modes the tool has one argument `input`, which keeps its name.
  edit: {
    names: ['edit'],
    args: { path: ['path'], old: ['old_text', 'oldText'], new: ['new_text', 'newText'], all: ['all'] },
  },
  'multi-edit': null,
  patch: null,
  editor: null,
  glob: { names: ['glob', 'find'], args: { pattern: ['pattern'], path: ['path'] } },
  grep: { names: ['grep'], args: { pattern: ['pattern'], path: ['path'], glob: ['glob'] } },
  fetch: { names: ['fetch'], args: { url: ['url'] } },
  task: { names: ['task'], args: { description: ['description'], prompt: ['prompt'], type: ['agent'] } },
  todo: { names: ['todo', 'todo_write'], args: { todos: ['todos'] } },
  mcp: { prefix: 'mcp__', between: '_' },
};

export const otherTools =
  'ls python lsp browser web_search ssh ask calc notebook exit_plan_mode submit_result checkpoint rewind debug ast_grep ast_edit eval job irc search inspect_image generate_image'.split(
    ' ',
  );
