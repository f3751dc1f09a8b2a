/** Messages for hook modules: the fields that distinguish them, and any other fields of the host. */
export interface TextContent {
  type: 'text';
  text: string;
}
export interface ImageContent {
  type: 'image';
  /** Base64. */
  data: string;
  mimeType: string;
}
export type Content = TextContent | ImageContent;

export interface UserMessage {
  role: 'user';
  content: string | Content[];
  timestamp?: number;
}
export interface AssistantMessage {
  role: 'assistant';
  /** Text, thinking and tool calls, as sent by the provider. */
  content: readonly unknown[];
  timestamp?: number;
  [field: string]: unknown;
}
export interface ToolResultMessage {
  role: 'toolResult';
  toolCallId: string;
  toolName: string;
  content: Content[];
  details?: unknown;
  isError: boolean;
  timestamp?: number;
}
/** Inserted by a hook: `pi.sendMessage`, or the message of `before_agent_start`. */
export interface CustomMessage<T = unknown> {
  role: 'custom';
  customType: string;
  content: string | Content[];
  display: boolean;
  details?: T;
  timestamp?: number;
}
export interface BranchSummaryMessage {
  role: 'branchSummary';
  summary: string;
  [field: string]: unknown;
}
export interface CompactionSummaryMessage {
  role: 'compactionSummary';
  summary: string;
  [field: string]: unknown;
}
export interface BashExecutionMessage {
  role: 'bashExecution';
  command: string;
  output: string;
  [field: string]: unknown;
}

export type AgentMessage =
  | UserMessage
  | AssistantMessage
  | ToolResultMessage
  | CustomMessage
  | BranchSummaryMessage
  | CompactionSummaryMessage
  | BashExecutionMessage;
export type Message = AgentMessage;
