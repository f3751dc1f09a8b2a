/**
 * Gemini CLI's events, one row each (0.61.0, November 2026). What a matcher is tested against and what an answer does
 * there: everything else in this folder is read off this table.
 */
import type { EventName } from '../../canon/events.ts';
import { wordsByMoment } from '../claude-shaped/words.ts';

export interface GeminiEvent {
  readonly on: EventName;
  /** The payload's field that a matcher is tested against; null: a matcher is passed over. */
  readonly matcher: string | null;
  /** What `decision: "deny"` does. */
  readonly block: 'deny' | 'resume' | 'replace' | 'nothing';
  /** `additionalContext` reaches the model. */
  readonly context?: true;
  /** `continue: false` ends the turn. */
  readonly stops?: true;
}

const row = (event: GeminiEvent): GeminiEvent => event;
const OWN = { on: 'other', matcher: null, block: 'nothing' } as const;

export const GEMINI_EVENTS = {
  SessionStart: row({ on: 'session.start', matcher: 'source', block: 'nothing', context: true }),
  SessionEnd: row({ on: 'session.end', matcher: 'reason', block: 'nothing' }),
  BeforeAgent: row({ on: 'prompt.submit', matcher: null, block: 'deny', context: true, stops: true }),
  AfterAgent: row({ on: 'turn.stop', matcher: null, block: 'resume', stops: true }),
  BeforeTool: row({ on: 'tool.before', matcher: 'tool_name', block: 'deny', stops: true }),
  AfterTool: row({ on: 'tool.after', matcher: 'tool_name', block: 'replace', context: true, stops: true }),
  Notification: row({ on: 'notification.sent', matcher: 'notification_type', block: 'nothing' }),
  // Fires before every request to the model, whether or not anything is compressed.
  PreCompress: row({ on: 'compaction.before', matcher: 'trigger', block: 'nothing' }),
  BeforeModel: row(OWN),
  AfterModel: row(OWN),
  BeforeToolSelection: row(OWN),
} as const satisfies Record<string, GeminiEvent>;

export type GeminiWord = keyof typeof GEMINI_EVENTS;
export const GEMINI_WORDS = Object.keys(GEMINI_EVENTS) as readonly GeminiWord[];
export const isGeminiWord = (word: unknown): word is GeminiWord =>
  typeof word === 'string' && Object.hasOwn(GEMINI_EVENTS, word);
/** The row without its exact type. */
export const geminiEvent = (word: GeminiWord): GeminiEvent => GEMINI_EVENTS[word];

/** Our event → Gemini's words; `null`: it fires nothing then. `AfterTool` is one word for two events of ours. */
export const words = wordsByMoment(GEMINI_WORDS, (word) => {
  const { on } = geminiEvent(word);
  return on === 'tool.after' ? [on, 'tool.failed'] : [on];
});
