import type { z } from 'zod';
import type { Loose } from './loose.ts';

export interface ToolContext {
  sessionID: string;
  messageID: string;
  agent: string;
  /** The session's folder; relative paths are meant from here, not from the process. */
  directory: string;
  /** The root of the version-controlled tree. */
  worktree: string;
  /** Aborted when the call is. */
  abort: AbortSignal;
  /** Tells the person what is going on while the tool runs. */
  metadata(input: { title?: string; metadata?: Record<string, Loose> }): void;
  /** Asks for permission; rejects when it is refused. */
  ask(input: AskInput): Promise<void>;
}

export interface AskInput {
  permission: string;
  patterns: string[];
  /** What an answer "always" covers. */
  always: string[];
  metadata: Record<string, Loose>;
}

export interface ToolAttachment {
  type: 'file';
  mime: string;
  url: string;
  filename?: string | undefined;
}

/** What a tool gives back: its text, or its text with a title, data for the transcript, and files. */
export type ToolResult =
  | string
  | {
      title?: string | undefined;
      output: string;
      metadata?: Record<string, Loose> | undefined;
      attachments?: ToolAttachment[] | undefined;
    };

/** A tool that a plugin brings. `args` are zod fields by name; they are checked before `execute` is called. */
export interface ToolDefinition<Args extends z.ZodRawShape = z.ZodRawShape> {
  description: string;
  args: Args;
  execute(args: z.infer<z.ZodObject<Args>>, context: ToolContext): Promise<ToolResult>;
}

/** A definition as it stands in a list, where the names of its arguments are no longer known. */
export interface AnyToolDefinition {
  description: string;
  args: Loose;
  execute(args: Loose, context: ToolContext): Promise<ToolResult>;
}
