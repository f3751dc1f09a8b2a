/**
 * What sets one agent apart from the next among those that start a command for every event, tell it one JSON document with
 * `hook_event_name` in it and listen to its exit code and its JSON. Everything else of such a dialect is shared.
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

/** One of the agent's events. */
export interface ShapedEvent {
  readonly on: EventName;
  /** The payload's field that a matcher is tested against; null: a matcher is passed over. */
  readonly matcher: string | null;
  /** A second word for some calls of `on`: only these. */
  readonly tool?: Match;
  /** A second event under this word; `unlike` tells the two apart. */
  readonly also?: EventName;
  /** What a refusal comes to there; `replace`: its reason replaces the tool's result; null: nothing. */
  readonly block: 'deny' | 'resume' | 'tell' | 'replace' | null;
  /** What `continue: false` comes to there. By default a halt wherever something can be refused. */
  readonly stop?: 'halt' | 'cancel';
  /** `additionalContext` reaches the model. */
  readonly context?: true;
  /** Text that is no JSON is context. */
  readonly plain?: true;
  /** Other text that is no JSON: shown to the user, or an error. By default it is ignored. */
  readonly text?: 'notice' | 'error';
  /** `systemMessage` is ignored there. */
  readonly silent?: true;
  /** Timeouts in milliseconds, where the agent sets a limit of its own for this event. */
  readonly timeouts?: { readonly usual: number; readonly longest: number };
  /** The agent waits for the hook even if its entry says `async`. */
  readonly waits?: true;
}

/** The events of ours that a word stands for. */
export const eventsOf = ({ on, also }: ShapedEvent): readonly EventName[] =>
  also === undefined ? [on] : [on, also];

/** How a hook's answer is understood, as the agent does. */
export interface Hearing {
  /** Words of a top-level `decision` that refuse, by what is asked about. */
  readonly decisions: (block: ShapedEvent['block']) => readonly string[];
  /** Events on which no `decision` counts. */
  readonly unheard?: readonly EventName[];
  /** A top-level `decision` of `ask` asks the user wherever the action can be refused. */
  readonly asks?: true;
  /** `permissionDecision` and what goes with it also stand at the top. */
  readonly flat: 'yes' | 'no';
  /** Keys under which a hook hands over other arguments. */
  readonly changes: readonly string[];
  /** Does this exit code refuse? By default 2 does. */
  readonly refusingExit?: (code: number, event: ShapedEvent) => boolean;
  /** How the exit code and both streams are read together, if more than `refusingExit` is to be known. */
  readonly readExit?: ReadExit;
  /** For agents that discard an answer as a whole when something in it is wrong. By default its refusals count. */
  readonly strict?: StrictAnswers;
}

export interface StrictAnswers {
  /** Why the agent discards this answer; undefined if it does not. */
  readonly fault: (answer: Fields, event: ShapedEvent, word: string) => string | undefined;
  /** The reason of a refusal in a discarded answer: it counts if the output was damaged or the hook failed. */
  readonly refusal?: (answer: Fields) => string | undefined;
}

/** What a `ReadExit` is given of the family's reader, about one event. */
export interface ExitParts {
  readonly word: string;
  readonly event: ShapedEvent;
  readonly printoutOf: (text: string, stream: 'stdout' | 'stderr') => Printout;
  readonly read: (printout: Printout) => Answer;
  /** What a refusal comes to on this event; undefined if nothing can be refused. */
  readonly refused: (reason: string) => Effect | undefined;
}
export type ReadExit = (reply: ExitReply, parts: ExitParts) => Answer;

/** How an outcome is said to the agent: of the forms that it obeys, the one of which the model learns the reason. */
export interface Voice {
  /** `exit`: exit 2 with the reason on stderr. `document`: a JSON answer and exit 0. */
  readonly refusal: 'exit' | 'document';
  /** `specific`: inside `hookSpecificOutput`. `text`: context is plain text, and there is nothing else to say. */
  readonly place: 'specific' | 'flat' | 'text';
  /** The key for other arguments; null: it does not take any. */
  readonly input: 'updatedInput' | 'modifiedArgs' | 'tool_input' | null;
  /** Whether the context of other hooks is part of the reason by which a result is replaced, or has its own field. */
  readonly replacement?: 'with-context' | 'alone';
}

/** How a `matcher` is read where the agent differs from the family. */
export interface MatcherTerms {
  /** Outside tool names a matcher is one exact value: no list, no pattern. */
  readonly exactFields?: true;
  /** An invalid pattern is one exact name, not an error. */
  readonly invalidIsName?: true;
}

/** How an entry of a settings file is read where the agent differs from the family. */
export interface EntryTerms {
  /** The keys that the agent knows; others are reported. By default those of all agents of the family. */
  readonly keys?: readonly EntryKey[];
  /** An entry must say `"type": "command"`. */
  readonly typed?: true;
  /** By default seconds, a thousandth at least. */
  readonly timeout?: { readonly unit: 's' | 'ms'; readonly least: number };
  /** The agent's settings switch hooks off by their `name`. */
  readonly named?: true;
  /** Variables that commands inherit; by default all. */
  readonly inherited?: readonly string[];
}

/** Answers in words of the agent's own, said in the ones that the others share, and back. */
export interface AnswerForms {
  /** By these keys a document is known for an answer. */
  readonly keys: readonly string[];
  readonly read: (said: Fields, event: ShapedEvent) => Fields;
  readonly write: (answer: Fields, event: ShapedEvent) => Fields;
}

/** How payloads spell what differs. */
export interface PayloadSpelling {
  readonly callId: string | null;
  /** What a tool returned, as fields; `details` is the field that holds more of it than the model is shown. */
  readonly result: {
    readonly write: (text: string) => Fields;
    readonly read: (said: Fields) => unknown;
    readonly details?: string;
  };
  readonly prompt?: {
    readonly write: (text: string) => unknown;
    readonly read: (said: unknown) => string;
  };
  /** Keys of what only some agents tell, where the host knows it. */
  readonly known?: {
    /** How long a call ran, in milliseconds. */
    readonly duration?: string;
    /** Was it broken off by the person? */
    readonly interrupt?: string;
    /** What a compaction shall keep. */
    readonly instructions?: string;
  };
  /** The field for the reason of a compaction. */
  readonly trigger: 'trigger' | 'source';
  /** Why a tool failed, as fields. By default a text in `error`. */
  readonly error?: { readonly write: (text: string) => Fields; readonly read: (said: Fields) => string };
  /** Written where the event does not say. */
  readonly usual?: { readonly agentType?: string; readonly notification?: string };
}

export interface ShapedTerms<Name extends string> {
  readonly name: Name;
  /** As people call the agent. */
  readonly shown: string;
  readonly events: Readonly<Record<string, ShapedEvent>>;
  readonly tools: ToolColumn;
  readonly otherTools: readonly string[];
  readonly can: Capabilities;
  readonly places: (locations: Locations) => Place[];
  /** Where the commands of a file run, if not where the event happens. */
  readonly folder?: (place: Place) => string | undefined;
  readonly matchers?: MatcherTerms;
  readonly entry?: EntryTerms;
  readonly hearing: Hearing;
  readonly voice: Voice;
  readonly spelling: PayloadSpelling;
  /** For words whose documents are spelt otherwise: both ways. */
  readonly casing?: {
    /** `native`: the document that the agent itself sent; empty in another agent. */
    readonly write: (word: string, document: Fields, native: Fields) => Fields;
    readonly read: (said: Fields) => Fields;
    /** Words whose documents are written anew for every hook, because a changed field has another name there. */
    readonly anew?: (word: string) => boolean;
  };
  readonly answers?: AnswerForms;
  readonly projectVariable?: string;
  /** What commands are told in the environment. */
  readonly variables: (cwd: string, session: string, native: Fields) => Readonly<Record<string, string>>;
  /** Of a hook that does not say, in milliseconds. */
  readonly timeoutMs: number;
  /** An event that is not what its word says. */
  readonly unlike?: (word: string, said: Fields) => EventName | undefined;
}
