/**
 * Describes how one agent differs from others that start a command per event, pass it a JSON payload with
 * `hook_event_name`, and read its exit code and JSON output. Everything else in such a dialect is shared.
 */

import type { Capabilities } from '../../../events/capabilities.ts';
import type { Place, Locations } from '../../../events/dialect.ts';
import type { Effect, Fields } from '../../../events/effects.ts';
import type { EventName } from '../../../events/events.ts';
import type { ExitReply } from '../../../events/exchange.ts';
import type { Match } from '../../../events/hook.ts';
import type { Answer } from '../../../events/outcome.ts';
import type { Printout } from '../../../events/printout.ts';
import type { ToolColumn } from '../../../events/tools.ts';
import type { EntryKey } from './command-hook-of.ts';

/** One event of the agent. */
export interface ShapedEvent {
  readonly on: EventName;
  /** The payload field for the matcher; null: a matcher is ignored. */
  readonly matcher: string | null;
  /** Restricts the event to some calls of `on`. */
  readonly tool?: Match;
  /** A second event with this name; `unlike` tells them apart. */
  readonly also?: EventName;
  /** The effect of a refusal. `replace`: the reason replaces the tool result; null: none. */
  readonly block: 'deny' | 'resume' | 'tell' | 'replace' | null;
  /** The effect of `continue: false`. Default: halt, on events that can be refused. */
  readonly stop?: 'halt' | 'cancel';
  /** `additionalContext` reaches the model. */
  readonly context?: true;
  /** Output that is not JSON is context. */
  readonly plain?: true;
  /** Other output that is not JSON is shown to the user or is an error. Default: ignored. */
  readonly text?: 'notice' | 'error';
  /** The agent ignores `systemMessage` on this event. */
  readonly silent?: true;
  /** Timeouts in milliseconds, if the agent has its own limits for this event. */
  readonly timeouts?: { readonly usual: number; readonly longest: number };
  /** The agent waits for the hook even if its entry is `async`. */
  readonly waits?: true;
}

/** Returns our events for a dialect event. */
export const eventsOf = ({ on, also }: ShapedEvent): readonly EventName[] =>
  also === undefined ? [on] : [on, also];

/** How a hook's answer is read. */
export interface AnswerReading {
  /** Values of a top-level `decision` that refuse, depending on the effect of a refusal. */
  readonly decisions: (block: ShapedEvent['block']) => readonly string[];
  /** Events on which `decision` is ignored. */
  readonly decisionIgnored?: readonly EventName[];
  /** A top-level `decision` of `ask` asks the user if the action can be refused. */
  readonly asks?: true;
  /** Whether `permissionDecision` and related fields are also read at the top level. */
  readonly flat: 'yes' | 'no';
  /** Keys for changed arguments. */
  readonly changes: readonly string[];
  /** Whether this exit code refuses. Default: only 2. */
  readonly refusingExit?: (code: number, event: ShapedEvent) => boolean;
  /** Reads exit code and both streams together, if `refusingExit` is not enough. */
  readonly readExit?: ReadExit;
  /** For agents that discard a whole answer if a part is invalid. Default: its refusals count. */
  readonly strict?: StrictAnswers;
}

export interface StrictAnswers {
  /** Returns why the agent discards this answer; undefined if it accepts it. */
  readonly fault: (answer: Fields, event: ShapedEvent, word: string) => string | undefined;
  /**
   * Returns the reason of a refusal in a discarded answer. The refusal counts if the output was damaged or the hook
   * failed.
   */
  readonly refusal?: (answer: Fields) => string | undefined;
}

/** What the shared reader passes to a `ReadExit`. */
export interface ExitParts {
  readonly word: string;
  readonly event: ShapedEvent;
  readonly printoutOf: (text: string, stream: 'stdout' | 'stderr') => Printout;
  readonly read: (printout: Printout) => Answer;
  /** Returns the effect of a refusal on this event; undefined if it cannot be refused. */
  readonly refused: (reason: string) => Effect | undefined;
}
export type ReadExit = (reply: ExitReply, parts: ExitParts) => Answer;

/** How an outcome is written. Of all forms that the agent obeys, this one shows the reason to the model. */
export interface AnswerWriting {
  /** `exit`: exit 2 with the reason on stderr. `document`: a JSON answer and exit 0. */
  readonly refusal: 'exit' | 'document';
  /** `specific`: inside `hookSpecificOutput`. `text`: context is plain text, and nothing else is supported. */
  readonly place: 'specific' | 'flat' | 'text';
  /** The key for changed arguments; null: not supported. */
  readonly input: 'updatedInput' | 'modifiedArgs' | 'tool_input' | null;
  /** Whether context of other hooks is part of the reason that replaces a result, or has its own field. */
  readonly replacement?: 'with-context' | 'alone';
}

/** How the agent's `matcher` differs from the family's. */
export interface MatcherTerms {
  /** Except for tool names, a matcher is one exact value, not a list or pattern. */
  readonly exactFields?: true;
  /** An invalid pattern is an exact name, not an error. */
  readonly invalidIsName?: true;
}

/** How the agent's settings entries differ from the family's. */
export interface EntryTerms {
  /** Known keys; others are reported. Default: the keys of all agents of the family. */
  readonly keys?: readonly EntryKey[];
  /** An entry must have `"type": "command"`. */
  readonly typed?: true;
  /** Default: seconds, with a minimum of a thousandth. */
  readonly timeout?: { readonly unit: 's' | 'ms'; readonly least: number };
  /** The agent's settings disable hooks by their `name`. */
  readonly named?: true;
  /** Variables that commands inherit; default: all. */
  readonly inherited?: readonly string[];
}

/** Converts the agent's own answer format to the shared one and back. */
export interface AnswerForms {
  /** Keys that identify a JSON object as an answer. */
  readonly keys: readonly string[];
  readonly read: (payloadFields: Fields, event: ShapedEvent) => Fields;
  readonly write: (answer: Fields, event: ShapedEvent) => Fields;
}

/** Differences in payload fields. */
export interface PayloadSpelling {
  readonly callId: string | null;
  /** Fields for the result of a tool. `details` contains more than the model sees. */
  readonly result: {
    readonly write: (text: string) => Fields;
    readonly read: (payloadFields: Fields) => unknown;
    readonly details?: string;
  };
  readonly prompt?: {
    readonly write: (text: string) => unknown;
    readonly read: (value: unknown) => string;
  };
  /** Fields that only some agents send, if the host knows the value. */
  readonly known?: {
    /** Duration of a call in milliseconds. */
    readonly duration?: string;
    /** Whether the user interrupted it. */
    readonly interrupt?: string;
    /** Instructions for a compaction. */
    readonly instructions?: string;
  };
  /** The field for the trigger of a compaction. */
  readonly trigger: 'trigger' | 'source';
  /** Fields for the error of a tool. Default: a text in `error`. */
  readonly error?: {
    readonly write: (text: string) => Fields;
    readonly read: (payloadFields: Fields) => string;
  };
  /** Defaults for missing event fields. */
  readonly usual?: { readonly agentType?: string; readonly notification?: string };
}

export interface ShapedTerms<Name extends string> {
  readonly name: Name;
  /** The display name of the agent. */
  readonly shown: string;
  readonly events: Readonly<Record<string, ShapedEvent>>;
  readonly tools: ToolColumn;
  readonly otherTools: readonly string[];
  readonly can: Capabilities;
  readonly places: (locations: Locations) => Place[];
  /** The working folder for commands of a file, if it is not the folder of the event. */
  readonly folder?: (place: Place) => string | undefined;
  readonly matchers?: MatcherTerms;
  readonly entry?: EntryTerms;
  readonly reading: AnswerReading;
  readonly writing: AnswerWriting;
  readonly spelling: PayloadSpelling;
  /** For events with different payload spellings: converts both ways. */
  readonly casing?: {
    /** `native` is the payload that the agent sent; empty in another agent. */
    readonly write: (word: string, document: Fields, native: Fields) => Fields;
    readonly read: (payloadFields: Fields) => Fields;
    /** Events whose payload is written anew for each hook, because a changed field has another name there. */
    readonly anew?: (word: string) => boolean;
  };
  readonly answers?: AnswerForms;
  readonly projectVariable?: string;
  /** Environment variables for commands. */
  readonly variables: (cwd: string, session: string, native: Fields) => Readonly<Record<string, string>>;
  /** Default timeout of a hook, in milliseconds. */
  readonly timeoutMs: number;
  /** Returns the event of a payload that differs from its event name. */
  readonly unlike?: (word: string, payloadFields: Fields) => EventName | undefined;
}
