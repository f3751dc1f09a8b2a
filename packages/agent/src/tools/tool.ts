/** The interface between the loop and a tool. */

import type { Fields } from 'anyhook';
import type { z } from 'zod';
import type { TodoList } from './todo-list.ts';

export interface AgentTool<I = Fields> {
  readonly name: string;
  readonly description: string;
  /** The loop validates a call with it, after hooks changed the call. */
  readonly schema: z.ZodType<I>;
  /** The author's JSON Schema, shown to the model instead of `schema`. */
  readonly parameters?: Fields;
  /** For tools that write: returns the change as a patch, or undefined if nothing would change. */
  preview?(input: I, scene: Pick<ToolScene, 'cwd' | 'signal'>): Promise<string | undefined>;
  /** Returns an `isError` result for failures. Rejects only when aborted. */
  execute(input: I, scene: ToolScene): Promise<ToolResult>;
}

export interface ToolScene {
  readonly cwd: string;
  readonly session: string;
  readonly call: string;
  readonly agent?: string;
  readonly signal: AbortSignal;
  /** Reports more output while the tool runs. */
  progress(text: string): void;
  /** Variables for commands, after hooks added theirs. */
  env(): Promise<Record<string, string>>;
  /** Notifies hooks that a file was written; they may format it. */
  edited(file: string, change: 'create' | 'edit' | 'delete'): Promise<void>;
  readonly todos: TodoList;
  /** Delegates work to a subagent. Absent inside a subagent. */
  task?(type: string, prompt: string): Promise<string>;
}

export interface ToolResult {
  /** The result for the model. */
  readonly output: string;
  /** A short title for the user. */
  readonly title?: string;
  readonly metadata?: Fields;
  readonly isError?: boolean;
  /**
   * With `isError`: the tool ran to its end and that end is the error, such as an exit code. Otherwise the tool
   * failed.
   */
  readonly hasEnded?: true;
}

/** The result of a tool that cannot do its work. */
export const failed = (output: string, metadata?: Fields): ToolResult => ({
  output,
  isError: true,
  ...(metadata && { metadata }),
});

/** Allows a list of tools with different inputs. The loop validates the input before the call. */
export const defineTool = <I>(tool: AgentTool<I>): AgentTool => tool as unknown as AgentTool;
