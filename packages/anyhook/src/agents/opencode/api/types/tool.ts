import type { z } from 'zod';
import type { Loose } from './loose.ts';

export interface ToolContext {
  sessionID: string;
  messageID: string;
  agent: string;
  /** The folder of the session. Relative paths start here, not in the folder of the process. */
  directory: string;
  /** The root of the working tree. */
  worktree: string;
  /** Aborts with the call. */
  abort: AbortSignal;
  /** Shows progress to the user while the tool runs. */
  metadata(input: { title?: string; metadata?: Record<string, Loose> }): void;
  /** Asks for permission; rejects if it is refused. */
  ask(input: AskInput): Promise<void>;
}

export interface AskInput {
  permission: string;
  patterns: string[];
  /** What the answer "always" covers. */
  always: string[];
  metadata: Record<string, Loose>;
}

export interface ToolAttachment {
  type: 'file';
  mime: string;
  url: string;
  filename?: string | undefined;
}

/** The result of a tool: its text, or its text with a title, data for the transcript, and files. */
export type ToolResult =
  | string
  | {
      title?: string | undefined;
      output: string;
      metadata?: Record<string, Loose> | undefined;
      attachments?: ToolAttachment[] | undefined;
    };

/** A tool of a plugin. `args` are zod fields by name, and are checked before `execute` is called. */
export interface ToolDefinition<Args extends z.ZodRawShape = z.ZodRawShape> {
  description: string;
  args: Args;
  execute(args: z.infer<z.ZodObject<Args>>, context: ToolContext): Promise<ToolResult>;
}

/** A definition in a list, where the names of its arguments are unknown. */
export interface AnyToolDefinition {
  description: string;
  args: Loose;
  execute(args: Loose, context: ToolContext): Promise<ToolResult>;
}
