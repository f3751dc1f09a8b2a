/**
 * The tools every coding agent has, in our words: name and arguments. Each dialect brings its own column
 * (`dialects/<name>/tools.ts`); `lexicon.ts` reads the columns together, so that a matcher, a script or a rewrite
 * written in one agent's spelling works in all of them. Unknown tools and `mcp__server__tool` keep their names.
 */
export const TOOLS = {
  shell: { args: ['command', 'timeout', 'description', 'background', 'cwd'] },
  read: { args: ['path', 'offset', 'limit'] },
  write: { args: ['path', 'content'] },
  edit: { args: ['path', 'old', 'new', 'all'] },
  'multi-edit': { args: ['path', 'edits'] },
  glob: { args: ['pattern', 'path'] },
  grep: { args: ['pattern', 'path', 'glob'] },
  fetch: { args: ['url', 'prompt', 'format'] },
  task: { args: ['description', 'prompt', 'type'] },
  todo: { args: ['todos'] },
} as const;

export type ToolName = keyof typeof TOOLS;
export type ToolArg<T extends ToolName> = (typeof TOOLS)[T]['args'][number];

/** One dialect's words for one tool: its names (the first is sent, all are matched) and its argument names. */
export interface ToolWords<T extends ToolName = ToolName> {
  readonly names: readonly [string, ...string[]];
  /** Ours → theirs; several where a document and the real agent differ: all are offered, a change to any counts. */
  readonly args: { readonly [A in ToolArg<T>]?: readonly [string, ...string[]] };
}
/** `null`: that agent has no such tool; hooks of its dialect hear the host's own name. */
export type ToolColumn = { readonly [T in ToolName]: ToolWords<T> | null };
