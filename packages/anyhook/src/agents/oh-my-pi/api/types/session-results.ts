/** What handlers of the session's own events may answer. */
export interface SessionBeforeSwitchResult {
  cancel?: boolean;
}
export interface SessionBeforeBranchResult {
  cancel?: boolean;
  /** Branch, but leave the conversation as it is. */
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
  /** Kept in the compaction entry. */
  preserveData?: Record<string, unknown>;
}
export interface SessionBeforeTreeResult {
  cancel?: boolean;
  /** Used only where the person wanted a summary. */
  summary?: { summary: string; details?: unknown };
}
