import type { ToolColumn, ToolName, ToolWords } from '../../../events/tools.ts';

/**
 * The canon's tools under their own names; arguments too, so there is nothing to rename. What is several of them in one
 * our hooks hear act by act.
 */
const own = <T extends ToolName>(tool: T): ToolWords<T> => ({ names: [tool], args: {} });

export const TOOL_COLUMN: ToolColumn = {
  shell: own('shell'),
  read: own('read'),
  write: own('write'),
  edit: own('edit'),
  'multi-edit': own('multi-edit'),
  patch: null,
  editor: null,
  glob: own('glob'),
  grep: own('grep'),
  fetch: own('fetch'),
  task: own('task'),
  todo: own('todo'),
};
