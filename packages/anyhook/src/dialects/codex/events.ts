/**
 * Codex CLI's events, one row each (0.166.0, November 2026). What it fires them with, what a matcher is tested against
 * and what an answer does there: everything else in this folder is read off this table.
 */
import type { EventName } from '../../canon/events.ts';
import { wordsByMoment } from '../claude-shaped/words.ts';

/** What exit 2 does, and `decision: "block"` where that is read. */
export type CodexBlock = 'deny' | 'resume' | 'replace' | 'failed';

export interface CodexEvent {
  readonly on: EventName;
  /** The payload's field that a matcher is tested against; null: a matcher is passed over. */
  readonly matcher: string | null;
  readonly block: CodexBlock;
  /** `additionalContext` is read. */
  readonly context?: true;
  /** Text that is no JSON is context. */
  readonly plain?: true;
  /** `continue: false` is read, and means this. */
  readonly stop?: 'halt' | 'cancel';
  /** `systemMessage` is read. */
  readonly message?: true;
  /** In milliseconds, where it is not the usual one; it is also the longest that Codex waits. */
  readonly timeoutMs?: number;
}

const row = (event: CodexEvent): CodexEvent => event;
const STOP = { block: 'resume', stop: 'halt', message: true } as const;
const OWN = { on: 'other', matcher: null, block: 'failed' } as const;

export const CODEX_EVENTS = {
  SessionStart: row({
    on: 'session.start',
    matcher: 'source',
    block: 'failed',
    context: true,
    plain: true,
    stop: 'halt',
    message: true,
  }),
  SessionEnd: row({ on: 'session.end', matcher: 'reason', block: 'failed', timeoutMs: 3_000 }),
  UserPromptSubmit: row({
    on: 'prompt.submit',
    matcher: null,
    block: 'deny',
    context: true,
    plain: true,
    stop: 'halt',
    message: true,
  }),
  PreToolUse: row({
    on: 'tool.before',
    matcher: 'tool_name',
    block: 'deny',
    context: true,
    message: true,
  }),
  PermissionRequest: row({ on: 'tool.permission', matcher: 'tool_name', block: 'deny' }),
  PostToolUse: row({
    on: 'tool.after',
    matcher: 'tool_name',
    block: 'replace',
    context: true,
    stop: 'halt',
    message: true,
  }),
  SubagentStart: row({
    on: 'subagent.start',
    matcher: 'agent_type',
    block: 'failed',
    context: true,
    plain: true,
    message: true,
  }),
  SubagentStop: row({ ...STOP, on: 'subagent.stop', matcher: 'agent_type' }),
  Stop: row({ ...STOP, on: 'turn.stop', matcher: null }),
  PreCompact: row({
    on: 'compaction.before',
    matcher: 'trigger',
    block: 'failed',
    stop: 'cancel',
    message: true,
  }),
  PostCompact: row({ on: 'compaction.after', matcher: 'trigger', block: 'failed', message: true }),
  Interrupt: row({ ...OWN, message: true, timeoutMs: 3_000 }),
  // Undocumented: their answers are only written to a log.
  PreModelRequest: row(OWN),
  PostModelRequest: row(OWN),
} as const satisfies Record<string, CodexEvent>;

export type CodexWord = keyof typeof CODEX_EVENTS;
export const CODEX_WORDS = Object.keys(CODEX_EVENTS) as readonly CodexWord[];
export const isCodexWord = (word: unknown): word is CodexWord =>
  typeof word === 'string' && Object.hasOwn(CODEX_EVENTS, word);
/** The row without its exact type. */
export const codexEvent = (word: CodexWord): CodexEvent => CODEX_EVENTS[word];

/** Our event → Codex's words; `null`: it fires nothing then. */
export const words = wordsByMoment(CODEX_WORDS, (word) => [codexEvent(word).on]);
