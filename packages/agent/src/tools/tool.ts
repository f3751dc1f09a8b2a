/** What a tool is to the loop, and what the loop is to a tool. */
import type { Fields } from 'anyhook';
import type { z } from 'zod';
import type { TodoList } from './todo-list.ts';

export interface AgentTool<I = Fields> {
  readonly name: string;
  readonly description: string;
  /** What the loop validates a call with, after hooks have changed it. */
  readonly schema: z.ZodType<I>;
  /** JSON Schema as the tool's author wrote it; shown to the model instead of `schema`. */
  readonly parameters?: Fields;
  /** Of one that writes: the difference it would make, as a patch; none where it would make none. */
  preview?(input: I, scene: Pick<ToolScene, 'cwd' | 'signal'>): Promise<string | undefined>;
  /** What went wrong in its work is an `isError` result for the model; it rejects only when it was aborted. */
  execute(input: I, scene: ToolScene): Promise<ToolResult>;
}

export interface ToolScene {
  readonly cwd: string;
  readonly session: string;
  readonly call: string;
  readonly agent?: string;
  readonly signal: AbortSignal;
  /** A further piece of output, while the tool still runs. */
  progress(text: string): void;
  /** Variables for commands, after the hooks that add some. */
  env(): Promise<Record<string, string>>;
  /** A file was written: hooks hear of it, and may format it. */
  edited(file: string, change: 'create' | 'edit' | 'delete'): Promise<void>;
  readonly todos: TodoList;
  /** Another agent does it and answers; absent where there is none, as inside a subagent. */
  task?(type: string, prompt: string): Promise<string>;
}

export interface ToolResult {
  /** For the model. */
  readonly output: string;
  /** For the person, in a few words. */
  readonly title?: string;
  readonly metadata?: Fields;
  readonly isError?: boolean;
  /** With `isError`: it ran to its end, and that end is the trouble, as with a command's exit code. Otherwise it failed. */
  readonly hasEnded?: true;
}

/** What a tool says when its work cannot be done. */
export const failed = (output: string, metadata?: Fields): ToolResult => ({
  output,
  isError: true,
  ...(metadata && { metadata }),
});

/** Lets a list of tools hold each with its own input; the loop validates before it calls. */
export const defineTool = <I>(tool: AgentTool<I>): AgentTool => tool as unknown as AgentTool;
