import type { AgentMessage, Content, ImageContent, Message, ToolResultMessage } from './content.ts';
import type { CompactionResult } from './session-results.ts';

export interface ContextEvent {
  type: 'context';
  /** A deep copy: changes only count if they are returned. */
  messages: AgentMessage[];
}
export interface ContextEventResult {
  messages?: Message[];
}
export interface BeforeAgentStartEvent {
  type: 'before_agent_start';
  prompt: string;
  images?: ImageContent[];
  /** For extensions, if the host has it: the prompt as sent, and its parts. */
  systemPrompt?: string | string[];
  systemPromptOptions?: Readonly<Record<string, unknown>>;
}
/** Accepted by `sendMessage`, and returned by `before_agent_start`. */
export interface HookMessage<T = unknown> {
  customType: string;
  content: string | Content[];
  display: boolean;
  details?: T;
  attribution?: 'user' | 'agent';
}
export interface BeforeAgentStartEventResult {
  message?: HookMessage;
  /** Replaces the shown one, if the host supports it. */
  systemPrompt?: string | string[];
}
export interface AgentStartEvent {
  type: 'agent_start';
}
export interface AgentEndEvent {
  type: 'agent_end';
  messages: AgentMessage[];
  /** Later versions: the agent continues by itself. */
  willContinue?: boolean;
}
export interface TurnStartEvent {
  type: 'turn_start';
  turnIndex: number;
  timestamp: number;
}
export interface TurnEndEvent {
  type: 'turn_end';
  turnIndex: number;
  message: AgentMessage;
  toolResults: ToolResultMessage[];
}
export interface AutoCompactionStartEvent {
  type: 'auto_compaction_start';
  reason: 'threshold' | 'overflow' | 'idle' | 'incomplete';
  action?: string;
}
export interface AutoCompactionEndEvent {
  type: 'auto_compaction_end';
  result: CompactionResult | undefined;
  aborted: boolean;
  willRetry: boolean;
  errorMessage?: string;
  action?: string;
  skipped?: boolean;
}
export interface AutoRetryStartEvent {
  type: 'auto_retry_start';
  attempt: number;
  maxAttempts: number;
  delayMs: number;
  errorMessage: string;
  errorId?: number;
}
export interface AutoRetryEndEvent {
  type: 'auto_retry_end';
  success: boolean;
  attempt: number;
  finalError?: string;
  retryErrors?: unknown[];
}
export interface TtsrTriggeredEvent {
  type: 'ttsr_triggered';
  rules: unknown[];
}
export interface TodoReminderEvent {
  type: 'todo_reminder';
  todos: unknown[];
  attempt: number;
  maxAttempts: number;
}
