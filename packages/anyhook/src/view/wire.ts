/** What the server and the page of the view say to each other. Texts are made safe by the server; the page shows them as text. */
import type { EffectKind, Verdict } from '../events/effects.ts';

/** Sent with every question; a form of another site cannot set it. */
export const TOKEN_HEADER = 'x-anyhook-token';

/** How far the journal has been counted: what a page shows is true up to here. */
export interface CountedPart {
  readonly bytes: number;
  readonly ofBytes: number;
  readonly isWhole: boolean;
  /** The time of the newest record that was counted. */
  readonly upTo?: string;
  readonly records: number;
  readonly damaged: number;
}

export interface SessionRow {
  /** The name of its file, without the ending. */
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
  /** `false`: the numbers still grow, because the file is being counted. */
  readonly isCounted: boolean;
}

export interface ViewState {
  readonly folder: string;
  readonly project: string;
  readonly version: string;
  /** Why there is nothing to read, or no longer. */
  readonly trouble?: string;
  readonly counted: CountedPart;
  /** The newest first. */
  readonly sessions: readonly SessionRow[];
  /** Older sessions that were not asked for. */
  readonly older: number;
}

/** One thing a hook said; `ignored`: why it did not count. */
export interface ShownEffect {
  readonly kind: EffectKind;
  readonly text: string;
  readonly ignored?: string;
}

export interface ShownRun {
  readonly id: string;
  readonly name: string;
  readonly dialect?: string;
  /** The dialect's word for the event. */
  readonly on?: string;
  readonly layer?: string;
  /** As a person writes it, with the line. */
  readonly place?: string;
  readonly matcher?: string;
  readonly roles: readonly string[];
  readonly round: 1 | 2;
  readonly ms: number;
  readonly effects: readonly ShownEffect[];
  readonly skipped?: string;
  /** Of a background hook: the word that its start and its end share, and how it ended. */
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
  /** Where its line begins in the file, in bytes. */
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
  /** A record of another version than ours, shown as far as it is understood. */
  readonly version?: number;
}
/** The end of a background hook, whose event stands further up. */
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
  /** In the order of the file. */
  readonly entries: readonly ShownEntry[];
  /** Where the first of them begins: 0 when nothing stands before it. */
  readonly from: number;
  /** Where the last of them ends. */
  readonly to: number;
}

/** What the chain of a session's file shows. */
export interface ChainVerdict {
  readonly isSound: boolean;
  readonly records: number;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

export interface AgentPlace {
  readonly agent: string;
  readonly kind: 'fires' | 'own' | 'moved' | 'never';
  /** In words: the event it is fired at instead, or why not. */
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
  /** How often it would have refused, of how many times it was asked in shadow. */
  readonly shadow?: { readonly refused: number; readonly of: number };
  readonly agents: readonly AgentPlace[];
  /** What a person may type about it. */
  readonly commands: readonly Advice[];
  /** Mean time in ms, one for each of the days of the view; null where it did not run. */
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
  /** Why the settings could not be read; the journal's numbers are there all the same. */
  readonly trouble?: string;
}

/** Something to do, and the command that does it: the view itself changes nothing. */
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

/** One line of the stream. */
export type StreamMessage =
  | { readonly kind: 'state'; readonly counted: CountedPart; readonly trouble?: string }
  | { readonly kind: 'session'; readonly row: SessionRow }
  | { readonly kind: 'entries'; readonly key: string; readonly entries: readonly ShownEntry[] }
  /** Files were replaced or shortened: what the page holds is of another journal. */
  | { readonly kind: 'anew' };

/** All that an export holds: the page finds it in itself and asks nobody. */
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
