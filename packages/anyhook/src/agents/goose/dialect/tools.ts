import type { ToolColumn } from '../../../events/tools.ts';

const EDITOR = ['developer__text_editor', 'text_editor'] as const;

/**
 * The shell goes by three names: the document's, the one current Goose uses, and Claude Code's as a matcher. The other
 * developer tools as Goose 1.52 sends them, and the `text_editor` that was several of them in one.
 */
export const tools: ToolColumn = {
  shell: { names: ['developer__shell', 'shell', 'Bash'], args: { command: ['command'] } },
  read: { names: EDITOR, args: {}, as: 'editor' },
  write: {
    names: ['write', 'developer__write'],
    also: EDITOR,
    args: { path: ['path'], content: ['content'] },
  },
  edit: {
    names: ['edit', 'developer__edit'],
    also: EDITOR,
    args: { path: ['path'], old: ['before'], new: ['after'] },
  },
  'multi-edit': null,
  patch: null,
  editor: {
    names: EDITOR,
    args: {
      path: ['path'],
      action: ['command'],
      content: ['file_text'],
      old: ['old_str'],
      new: ['new_str'],
    },
  },
  glob: null,
  grep: null,
  fetch: null,
  task: { names: ['delegate', 'subagent'], args: { prompt: ['instructions'] } },
  todo: null,
  mcp: { prefix: '', between: '__' },
};

export const otherTools = 'analyze tree read_image todo_write load_skill'.split(' ');

/** For hooks that name the editor: reading, writing and editing are calls of that one tool. */
export const editorTools: ToolColumn = {
  ...tools,
  write: { names: EDITOR, args: {}, as: 'editor' },
  edit: { names: EDITOR, args: {}, as: 'editor' },
};
