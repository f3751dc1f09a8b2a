/**
 * What sets one agent apart from the next among those that start a command for every event, tell it one JSON document with
 * `hook_event_name` in it and listen to its exit code and its JSON. Everything else of such a dialect is shared.
 */
import type { Capabilities } from '../../canon/capabilities.ts';
import type { Place, Locations } from '../../canon/dialect.ts';
import type { Fields } from '../../canon/effects.ts';
import type { EventName } from '../../canon/events.ts';
import type { Match } from '../../canon/hook.ts';
import type { ToolColumn } from '../../canon/tools.ts';

/** One of the agent's events. */
export interface ShapedEvent {
  readonly on: EventName;
  /** The payload's field that a matcher is tested against; null: a matcher is passed over. */
  readonly matcher: string | null;
  /** A second word for some calls of `on`: only these. */
  readonly tool?: Match;
  /** What a refusal comes to there; null: nothing. */
  readonly block: 'deny' | 'resume' | 'tell' | null;
  /** `additionalContext` reaches the model. */
  readonly context?: true;
  /** Text that is no JSON is context. */
  readonly plain?: true;
}

/** How a hook's answer is understood, as the agent does. */
export interface Hearing {
  /** Words of a top-level `decision` that refuse, by what is asked about. */
  readonly decisions: (block: ShapedEvent['block']) => readonly string[];
  /** Events on which no `decision` counts. */
  readonly unheard?: readonly EventName[];
  /** `permissionDecision` and what goes with it also stand at the top. */
  readonly flat: 'yes' | 'no';
  /** Keys under which a hook hands over other arguments. */
  readonly changes: readonly string[];
  /** Does this exit code refuse? */
  readonly refusingExit: (code: number, event: ShapedEvent) => boolean;
}

/** How an outcome is said to the agent: of the forms that it obeys, the one of which the model learns the reason. */
export interface Voice {
  /** `exit`: exit 2 with the reason on stderr. `document`: a JSON answer and exit 0. */
  readonly refusal: 'exit' | 'document';
  /** `specific`: inside `hookSpecificOutput`. `text`: context is plain text, and there is nothing else to say. */
  readonly place: 'specific' | 'flat' | 'text';
  /** The key for other arguments; null: it does not take any. */
  readonly input: 'updatedInput' | 'modifiedArgs' | null;
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
  /** What a tool returned, as fields; `null` where it is told nothing of it. */
  readonly result: { readonly write: (text: string) => Fields; readonly read: (said: Fields) => unknown };
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
  readonly error: { readonly write: (text: string) => unknown; readonly read: (said: unknown) => string };
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
