import type { AgentMessage } from './content.ts';

/** One line of a session file. */
export interface SessionEntry {
  type: string;
  id: string;
  parentId: string | null;
  timestamp: string;
  [field: string]: unknown;
}
export interface CompactionEntry extends SessionEntry {
  type: 'compaction';
  summary: string;
  firstKeptEntryId: string;
  tokensBefore: number;
  details?: unknown;
}
export interface BranchSummaryEntry extends SessionEntry {
  type: 'branch_summary';
  summary: string;
}
export interface SessionHeader {
  type: 'session';
  id: string;
  cwd: string;
  timestamp: string;
  parentSession?: string;
  [field: string]: unknown;
}
export interface SessionTreeNode {
  entry: SessionEntry;
  children: SessionTreeNode[];
  label?: string;
}

/** Read access to the session for event handlers. They write with `pi.sendMessage` and `pi.appendEntry`. */
export interface ReadonlySessionManager {
  getCwd(): string;
  getSessionDir(): string;
  getSessionId(): string;
  getSessionFile(): string | undefined;
  getLeafId(): string | null;
  getLeafEntry(): SessionEntry | undefined;
  getEntry(id: string): SessionEntry | undefined;
  getLabel(id: string): string | undefined;
  getBranch(fromId?: string): SessionEntry[];
  getHeader(): SessionHeader | null;
  getEntries(): SessionEntry[];
  getTree(): SessionTreeNode[];
  getUsageStatistics(): Record<string, number>;
}

/** The manager of the new session in `newSession({ setup })`. */
export interface SessionManager extends ReadonlySessionManager {
  appendMessage(message: AgentMessage): string;
  appendCustomEntry(customType: string, data?: unknown): string;
}
