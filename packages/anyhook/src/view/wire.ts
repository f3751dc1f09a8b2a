/** Messages between the server and the page of the view. The server makes texts safe, and the page shows them as text. */

import type { EffectKind, Verdict } from '../events/effects.ts';

/** Sent with every request. A form on another site cannot set it. */
export const TOKEN_HEADER = 'x-anyhook-token';

/** How far the journal has been counted. The page's numbers cover up to here. */
export interface CountedPart {
  readonly bytes: number;
  readonly ofBytes: number;
  readonly isWhole: boolean;
  /** Time of the newest counted record. */
  readonly upTo?: string;
  readonly records: number;
  readonly damaged: number;
}

export interface SessionRow {
  /** The file name without extension. */
  readonly key: string;
  readonly id: string;
  readonly agent: string;
  readonly project: string;
  readonly startedAt: string;
  readonly lastAt: string;
  readonly fires: number;
  readonly prompts: number;
  readonly calls: number;
  readonly refusals: number;
  readonly openQuestions: number;
  readonly failures: number;
  readonly hookMs: number;
  readonly damaged: number;
  /** Tokens that were sent and written, if the agent reveals them. */
  readonly tokens?: number;
  readonly costUsd?: number;
  /** `false` while the file is being counted and its numbers still grow. */
  readonly isCounted: boolean;
}

export interface ViewState {
  readonly folder: string;
  readonly project: string;
  readonly version: string;
  /** Why there is nothing to read. */
  readonly trouble?: string;
  readonly counted: CountedPart;
  /** Newest first. */
  readonly sessions: readonly SessionRow[];
  /** Number of older sessions that were not requested. */
  readonly older: number;
}

/** One effect of a hook; `ignored` is why it did not count. */
export interface ShownEffect {
  readonly kind: EffectKind;
  readonly text: string;
  readonly ignored?: string;
}

export interface ShownRun {
  readonly id: string;
  readonly name: string;
  readonly dialect?: string;
  /** The dialect's name of the event. */
  readonly on?: string;
  readonly layer?: string;
  /** Short path with the line. */
  readonly place?: string;
  readonly matcher?: string;
  readonly roles: readonly string[];
  readonly round: 1 | 2;
  readonly ms: number;
  readonly effects: readonly ShownEffect[];
  readonly skipped?: string;
  /** For a background hook: the id that its start and end share, and how it ended. */
  readonly late?: string;
  readonly background?: string;
  readonly failed?: string;
  readonly failedOpen?: true;
  readonly isShadow?: true;
  /** Its approval was for a call that another hook changed afterwards. */
  readonly isVoided?: true;
  readonly notes: readonly string[];
  readonly printed?: string;
}

export type FireRole = 'prompt' | 'call' | 'result' | 'stop' | 'other';

export interface ShownFire {
  readonly kind: 'fire';
  /** Byte offset of its line in the file. */
  readonly at: number;
  readonly time: string;
  readonly event: string;
  readonly role: FireRole;
  readonly subject: string;
  readonly call?: string;
  readonly subagent?: string;
  readonly tookMs?: number;
  readonly verdict: Verdict | 'none';
  readonly reasons: readonly { readonly by: string; readonly text: string; readonly isBroken: boolean }[];
  readonly runs: readonly ShownRun[];
  readonly unmatched: readonly string[];
  readonly changed: readonly { readonly by: string; readonly at: string }[];
  readonly before: string;
  readonly after?: string;
  readonly said: readonly { readonly by: string; readonly to: string; readonly text: string }[];
  readonly flow: readonly { readonly kind: string; readonly text: string }[];
  readonly lost: readonly string[];
  readonly wouldHave?: string;
  readonly marks: readonly string[];
  /** Set for a record of another version, shown as far as it is understood. */
  readonly version?: number;
}
/** The end of a background hook, whose event is further up. */
export interface ShownEnd {
  readonly kind: 'end';
  readonly at: number;
  readonly time: string;
  readonly event: string;
  readonly runs: readonly ShownRun[];
}
export interface ShownDamage {
  readonly kind: 'damage';
  readonly at: number;
  readonly bytes: number;
  readonly why: string;
}
export type ShownEntry = ShownFire | ShownEnd | ShownDamage;

export interface SessionPart {
  readonly session: SessionRow;
  /** In file order. */
  readonly entries: readonly ShownEntry[];
  /** Offset of the first entry; 0 if nothing precedes it. */
  readonly from: number;
  /** Offset of the end of the last entry. */
  readonly to: number;
}

/** Result of the chain check of a session's file. */
export interface ChainVerdict {
  readonly isSound: boolean;
  readonly records: number;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

export interface AgentPlace {
  readonly agent: string;
  readonly kind: 'fires' | 'own' | 'moved' | 'never';
  /** For display: the event at which it fires instead, or why it never does. */
  readonly words: string;
  readonly runs: number;
}

export interface HookSheet {
  readonly id: string;
  readonly name: string;
  readonly dialect: string;
  readonly on: string;
  readonly place: string;
  readonly matcher?: string;
  readonly runs: number;
  readonly refusals: number;
  readonly failures: number;
  readonly p50?: number;
  readonly p95?: number;
  readonly max?: number;
  readonly lastSaid?: string;
  readonly lastAt?: string;
  readonly trust: string;
  readonly isShadow: boolean;
  /** How often it would have refused, and how often it ran in shadow mode. */
  readonly shadow?: { readonly refused: number; readonly of: number };
  readonly agents: readonly AgentPlace[];
  /** Commands about it for the user. */
  readonly commands: readonly Advice[];
  /** Mean time in ms per day of the view; null if it did not run. */
  readonly days: readonly (number | null)[];
}

export interface DayTally {
  readonly day: string;
  readonly none: number;
  readonly allow: number;
  readonly ask: number;
  readonly deny: number;
}

export interface HooksPart {
  readonly counted: CountedPart;
  readonly days: readonly DayTally[];
  readonly hooks: readonly HookSheet[];
  /** Why the settings could not be read. The journal's numbers are still valid. */
  readonly trouble?: string;
}

/** A suggestion and its command. The view itself changes nothing. */
export interface Advice {
  readonly text: string;
  readonly command?: string;
}

export interface SourceLine {
  readonly number: number;
  readonly text: string;
  readonly isIt: boolean;
}
export interface RefusalSheet {
  readonly by: string;
  readonly reason: string;
  readonly place?: string;
  readonly source: readonly SourceLine[];
  readonly rule: readonly { readonly name: string; readonly text: string }[];
  readonly changes: readonly Advice[];
}

/** A question that waits for the user. */
export interface ShownQuestion {
  readonly hash: string;
  /** The beginning of the hash, as the terminal shows it. */
  readonly id: string;
  readonly agent: string;
  /** The first prompt of the session, or its id. */
  readonly session: string;
  readonly project: string;
  /** Where the call runs, if it is not the project. */
  readonly folder?: string;
  readonly subagent?: string;
  readonly wants: string;
  readonly call: string;
  /** Bytes of the whole call, if it was cut. */
  readonly callBytes?: number;
  readonly changed: readonly string[];
  readonly reasons: readonly { readonly hook: string; readonly text: string }[];
  readonly askedAt: string;
  /** Until when the agent waits. Missing: it was refused for now and may try again. */
  readonly heldUntil?: string;
  readonly failedNotices: readonly string[];
}
export interface QuestionsPart {
  /** Oldest first. */
  readonly questions: readonly ShownQuestion[];
  readonly needsPin: boolean;
  /** Why this page may not answer. */
  readonly whyNot?: string;
}

/** One line of the stream. */
export type StreamMessage =
  | { readonly kind: 'state'; readonly counted: CountedPart; readonly trouble?: string }
  | { readonly kind: 'session'; readonly row: SessionRow }
  | { readonly kind: 'questions'; readonly part: QuestionsPart }
  | { readonly kind: 'entries'; readonly key: string; readonly entries: readonly ShownEntry[] }
  /** Files were replaced or shortened, so the page's data is outdated. */
  | { readonly kind: 'anew' };

/** The content of an export, which the page reads from itself. */
export interface ExportedView {
  readonly madeAt: string;
  readonly title: string;
  readonly state: ViewState;
  readonly parts: readonly SessionPart[];
  readonly chains: Readonly<Record<string, ChainVerdict>>;
  readonly hooks: HooksPart;
  readonly refusals: readonly { readonly key: string; readonly at: number; readonly sheet: RefusalSheet }[];
  readonly leftOut: number;
}
