import type { AgentMessage } from './content.ts';
import type { BranchSummaryEntry, CompactionEntry, SessionEntry } from './session.ts';

export interface SessionStartEvent {
  type: 'session_start';
}
export interface SessionBeforeSwitchEvent {
  type: 'session_before_switch';
  reason: 'new' | 'resume' | 'fork';
  /** With `resume` only. */
  targetSessionFile?: string;
}
export interface SessionSwitchEvent {
  type: 'session_switch';
  reason: 'new' | 'resume' | 'fork';
  previousSessionFile: string | undefined;
}
export interface SessionBeforeBranchEvent {
  type: 'session_before_branch';
  entryId: string;
}
export interface SessionBranchEvent {
  type: 'session_branch';
  previousSessionFile: string | undefined;
}
export interface CompactionPreparation {
  firstKeptEntryId: string;
  messagesToSummarize: AgentMessage[];
  turnPrefixMessages: AgentMessage[];
  isSplitTurn: boolean;
  tokensBefore: number;
  previousSummary?: string;
  fileOps: unknown;
  settings: unknown;
}
export interface SessionBeforeCompactEvent {
  type: 'session_before_compact';
  preparation: CompactionPreparation;
  /** From the root to the current leaf. */
  branchEntries: SessionEntry[];
  customInstructions?: string;
  signal: AbortSignal;
}
export interface SessionCompactingEvent {
  type: 'session.compacting';
  sessionId: string;
  messages: AgentMessage[];
}
export interface SessionCompactEvent {
  type: 'session_compact';
  compactionEntry: CompactionEntry;
  /** The entry comes from a hook. */
  fromExtension: boolean;
}
export interface TreePreparation {
  targetId: string;
  oldLeafId: string | null;
  commonAncestorId: string | null;
  entriesToSummarize: SessionEntry[];
  userWantsSummary: boolean;
}
export interface SessionBeforeTreeEvent {
  type: 'session_before_tree';
  preparation: TreePreparation;
  signal: AbortSignal;
}
export interface SessionTreeEvent {
  type: 'session_tree';
  newLeafId: string | null;
  oldLeafId: string | null;
  summaryEntry?: BranchSummaryEntry;
  fromExtension?: boolean;
}
export interface SessionShutdownEvent {
  type: 'session_shutdown';
}

export type SessionEvent =
  | SessionStartEvent
  | SessionBeforeSwitchEvent
  | SessionSwitchEvent
  | SessionBeforeBranchEvent
  | SessionBranchEvent
  | SessionBeforeCompactEvent
  | SessionCompactingEvent
  | SessionCompactEvent
  | SessionBeforeTreeEvent
  | SessionTreeEvent
  | SessionShutdownEvent;
