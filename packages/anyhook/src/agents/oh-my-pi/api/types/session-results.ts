/** The answers of handlers of session events. */
export interface SessionBeforeSwitchResult {
  cancel?: boolean;
}
export interface SessionBeforeBranchResult {
  cancel?: boolean;
  /** Branches without changing the conversation. */
  skipConversationRestore?: boolean;
}
export interface CompactionResult {
  summary: string;
  firstKeptEntryId: string;
  tokensBefore: number;
  details?: unknown;
}
export interface SessionBeforeCompactResult {
  cancel?: boolean;
  compaction?: CompactionResult;
}
export interface SessionCompactingResult {
  /** Lines for the summary. */
  context?: string[];
  prompt?: string;
  /** Stored in the compaction entry. */
  preserveData?: Record<string, unknown>;
}
export interface SessionBeforeTreeResult {
  cancel?: boolean;
  /** Used only if the user requested a summary. */
  summary?: { summary: string; details?: unknown };
}
