import type { ToolColumn } from '../../../events/tools.ts';

const EDITOR = ['developer__text_editor', 'text_editor'] as const;

/**
 * The shell has three names: documented, current Goose, and Claude Code's as a matcher. Other developer tools are named
 * as in Goose 1.52, plus the older `text_editor`, which combined several of them.
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

/** For hooks that name the editor: reading, writing and editing are calls of that tool. */
export const editorTools: ToolColumn = {
  ...tools,
  write: { names: EDITOR, args: {}, as: 'editor' },
  edit: { names: EDITOR, args: {}, as: 'editor' },
};
