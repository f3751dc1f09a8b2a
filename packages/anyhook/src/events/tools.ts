/**
 * The tools every coding agent has, in our words: name and arguments. Each dialect brings its own column
 * (`dialects/<name>/tools.ts`); `lexicon.ts` reads the columns together, so that a matcher, a script or a rewrite
 * written in one agent's spelling works in all of them; so are tools of MCP servers (`mcp-names.ts`). Unknown ones keep their names. What
 * `multi-edit`, `patch` and `editor` do, others do by several calls: see `acts.ts`.
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

/** Editing a notebook has no tool of ours, its names mean one thing nevertheless; guards for files get it as an edit and as a write. */
export const NOTEBOOK_EDITS: readonly string[] = [
  'NotebookEdit',
  'notebook_edit',
  'edit_notebook',
  'edit_notebook_file',
  'notebook_edit_cell',
];

/** One dialect's words for one tool: its names (the first is sent, all are matched) and its argument names. */
export interface ToolWords<T extends ToolName = ToolName> {
  readonly names: readonly [string, ...string[]];
  /** Ours → theirs; several where a document and the real agent differ: all are offered, a change to any counts. */
  readonly args: { readonly [A in ToolArg<T>]?: readonly [string, ...string[]] };
  /** Names of another tool of its, which can do this among others: hooks that name it are called for this too. */
  readonly also?: readonly string[];
  /** It has no tool for this alone: such a call is told as one of that tool, which can do it among others. */
  readonly as?: ToolName;
}
/** `null`: that agent has no such tool; hooks of its dialect hear the host's own name. */
export type ToolColumn = { readonly [T in ToolName]: ToolWords<T> | null } & {
  /** How it calls the tools of MCP servers; as we do where it says nothing. */
  readonly mcp?: McpSpelling;
  /** Names of many programs: one means the tool only if the call has the tool's first argument. */
  readonly isLikely?: true;
};

/** Of a program that names its tools as it likes. */
export const NO_TOOLS = Object.fromEntries(
  Object.keys(TOOLS).map((tool) => [tool, null]),
) as unknown as ToolColumn;
