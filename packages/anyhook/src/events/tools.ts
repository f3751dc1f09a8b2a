/**
 * The tools that every coding agent has, with our names for them and their arguments. Each dialect adds a
 * column with its own names, and `lexicon.ts` combines the columns, so that a matcher, script or rewrite for
 * one agent works in all. MCP tools are translated too (`mcp-names.ts`). Unknown tools keep their names. See
 * `acts.ts` for `multi-edit`, `patch` and `editor`, which other agents do with several calls.
 */

import type { McpSpelling } from './mcp-names.ts';

export const TOOLS = {
  shell: { args: ['command', 'timeout', 'description', 'background', 'cwd'] },
  read: { args: ['path', 'offset', 'limit'] },
  write: { args: ['path', 'content'] },
  edit: { args: ['path', 'old', 'new', 'all'] },
  'multi-edit': { args: ['path', 'edits'] },
  patch: { args: ['patch'] },
  editor: { args: ['path', 'action', 'content', 'old', 'new'] },
  glob: { args: ['pattern', 'path'] },
  grep: { args: ['pattern', 'path', 'glob'] },
  fetch: { args: ['url', 'prompt', 'format'] },
  task: { args: ['description', 'prompt', 'type'] },
  todo: { args: ['todos'] },
} as const;

/** Arguments that are lists of another tool's arguments. */
export const LISTS: { readonly [T in ToolName]?: { readonly arg: string; readonly of: ToolName } } = {
  'multi-edit': { arg: 'edits', of: 'edit' },
};

export type ToolName = keyof typeof TOOLS;
export type ToolArg<T extends ToolName> = (typeof TOOLS)[T]['args'][number];

/**
 * Names for notebook editing, which is not one of our tools. The names are equivalent, and file guards get
 * such a call as an edit and as a write.
 */
export const NOTEBOOK_EDITS: readonly string[] = [
  'NotebookEdit',
  'notebook_edit',
  'edit_notebook',
  'edit_notebook_file',
  'notebook_edit_cell',
];

/** One dialect's names for a tool and its arguments. The first name is sent, all are matched. */
export interface ToolWords<T extends ToolName = ToolName> {
  readonly names: readonly [string, ...string[]];
  /**
   * Ours → theirs. Several if the documentation and the agent differ: all are offered, and a change to any
   * counts.
   */
  readonly args: { readonly [A in ToolArg<T>]?: readonly [string, ...string[]] };
  /**
   * Names of another tool of this agent that can do the same among other things. Hooks that name it run for
   * this tool too.
   */
  readonly also?: readonly string[];
  /**
   * The agent has no separate tool for this. The call is presented as a call of that tool, which can do it
   * among other things.
   */
  readonly as?: ToolName;
}
/** `null`: the agent has no such tool; hooks of its dialect get the host's own name. */
export type ToolColumn = { readonly [T in ToolName]: ToolWords<T> | null } & {
  /** How it names MCP tools. Default: like us. */
  readonly mcp?: McpSpelling;
  /** Many programs use these names. One means the tool only if the call has the tool's first argument. */
  readonly isLikely?: true;
};

/** The column of a program that names its tools freely. */
export const NO_TOOLS = Object.fromEntries(
  Object.keys(TOOLS).map((tool) => [tool, null]),
) as unknown as ToolColumn;
