import type { Content } from './content.ts';

export interface ToolCallEvent {
  type: 'tool_call';
  toolName: string;
  toolCallId: string;
  /** A copy: changes do not reach the tool. */
  input: Record<string, unknown>;
}
export interface ToolCallEventResult {
  block?: boolean;
  /** Becomes the error text of the tool call. */
  reason?: string;
  /** Replaces the arguments of the tool; the last one counts. Not with `seedStrict`. */
  input?: Record<string, unknown>;
  /** For the model, after the call has succeeded. Not with `seedStrict`. */
  additionalContext?: string;
}

export interface ToolResultEvent {
  type: 'tool_result';
  toolName: string;
  toolCallId: string;
  input: Record<string, unknown>;
  content: Content[];
  details: unknown;
  isError: boolean;
}
export interface ToolResultEventResult {
  content?: Content[];
  details?: unknown;
  /** Returned to the caller of `emit`; the tool wrapper does not apply it. */
  isError?: boolean;
  /** For the model. Not with `seedStrict`. */
  additionalContext?: string;
}
