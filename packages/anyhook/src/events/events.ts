/**
 * The table of events. A row has the payload, the matcher subject, the fields that hooks may change, and the
 * effects and gifts that count. Types, validators, checks of hook answers, JSON Schemas, reference pages and
 * capability checks are derived from it.
 * Payloads are functions of zod, so that reading the table does not load zod.
 */

import type { z as zod } from 'zod';
import type { EffectKind, EffectOf } from './effects.ts';
import type { Gift, GiftValue } from './gifts.ts';

type Zod = typeof zod;
type Shape = zod.ZodRawShape;
interface Row<S extends Shape, M extends keyof S & string, K extends EffectKind, G extends Gift> {
  /** One sentence for the reference page: when the event fires. */
  readonly when: string;
  readonly payload: (z: Zod) => zod.ZodObject<S>;
  /** The field that a matcher tests. */
  readonly subject: (keyof S & string) | null;
  readonly mutable: readonly M[];
  /** The mutable fields that the model reads. Text added to one of them is text for the model. */
  readonly modelReads?: readonly M[];
  readonly effects: readonly K[];
  /** The gifts that count if `give` does. */
  readonly gives?: readonly G[];
  /** The event announces an end. Refusing it means to continue (`resume`), and a `halt` agrees with it. */
  readonly ends?: true;
  /** The result if no hook decides. Default: yes. */
  readonly unanswered?: 'ask';
  /**
   * Returns fields that replace a result with this text. For events that cannot be refused because they have
   * already happened, but whose result can be withheld from the model.
   */
  readonly withheld?: (text: string) => { readonly [F in M]?: unknown };
  /**
   * The event that a host fires before it asks its user about this one. An `allow` here skips that prompt.
   */
  readonly question?: 'tool.permission';
}
/** Returns its argument; the type checks that `subject` and `mutable` are fields of `payload`. */
const row = <
  S extends Shape,
  const M extends keyof S & string,
  const K extends EffectKind,
  const G extends Gift = never,
>(
  r: Row<S, M, K, G>,
): Row<S, M, K, G> => r;

const DECIDE = ['allow', 'ask', 'defer', 'deny'] as const;
const TELL = ['context', 'notice'] as const;
const any = (z: Zod) => z.unknown();
const list = (z: Zod) => z.array(z.unknown());
const fields = (z: Zod) => z.record(z.string(), z.unknown());

export const EVENTS = {
  'session.start': row({
    when: 'A session begins: new, resumed, cleared or continued after compaction.',
    payload: (z) => z.object({ source: z.string().optional() }),
    subject: 'source',
    mutable: [],
    effects: [...TELL, 'halt', 'give'],
    gives: ['title', 'message', 'environment'],
  }),
  'session.end': row({
    when: 'A session is over; the host is about to release it.',
    payload: (z) => z.object({ reason: z.string().optional() }),
    subject: 'reason',
    mutable: [],
    effects: ['notice'],
  }),
  'session.switching': row({
    when: 'The user asked for another session; nothing has changed yet.',
    payload: (z) => z.object({ reason: z.string(), target: z.string().optional() }),
    subject: 'reason',
    mutable: [],
    effects: ['cancel', 'notice'],
  }),
  'session.switched': row({
    when: 'Another session is now active.',
    payload: (z) => z.object({ reason: z.string(), previous: z.string().optional() }),
    subject: 'reason',
    mutable: [],
    effects: ['notice'],
  }),
  'session.branching': row({
    when: 'The user asked for a branch of this session, from one of its entries.',
    payload: (z) => z.object({ entry: z.string() }),
    subject: null,
    mutable: [],
    effects: ['cancel', 'give', 'notice'],
    gives: ['skip-restore'],
  }),
  'session.branched': row({
    when: 'The branch exists and is active.',
    payload: (z) => z.object({ previous: z.string().optional() }),
    subject: null,
    mutable: [],
    effects: ['notice'],
  }),
  'session.navigating': row({
    when: 'The user asked to go to another entry in the session tree.',
    payload: (z) =>
      z.object({
        target: z.string(),
        oldLeaf: z.string().nullable().optional(),
        commonAncestor: z.string().nullable().optional(),
        entriesToSummarize: list(z).optional(),
        wantsSummary: z.boolean().optional(),
      }),
    subject: null,
    mutable: [],
    effects: ['cancel', 'give', 'notice'],
    gives: ['summary'],
  }),
  'session.navigated': row({
    when: 'The session is now at another entry of its tree.',
    payload: (z) =>
      z.object({
        newLeaf: z.string().nullable(),
        oldLeaf: z.string().nullable().optional(),
        summary: any(z).optional(),
        fromHook: z.boolean().optional(),
      }),
    subject: null,
    mutable: [],
    effects: ['notice'],
  }),
  'session.error': row({
    when: 'An error ended the turn or the session.',
    payload: (z) => z.object({ message: z.string(), kind: z.string().optional() }),
    subject: 'kind',
    mutable: [],
    effects: ['notice'],
  }),
  'prompt.submit': row({
    when: 'The user sent a prompt; the agent has not seen it yet.',
    payload: (z) => z.object({ prompt: z.string(), message: any(z).optional(), parts: list(z).optional() }),
    subject: 'prompt',
    mutable: ['prompt', 'message', 'parts'],
    modelReads: ['prompt', 'parts'],
    effects: ['deny', 'ask', 'set', ...TELL, 'halt', 'give'],
    gives: ['title', 'message'],
  }),
  'command.before': row({
    when: 'A slash command is about to be turned into a prompt.',
    payload: (z) =>
      z.object({ command: z.string(), arguments: z.string().optional(), parts: list(z).optional() }),
    subject: 'command',
    mutable: ['parts'],
    modelReads: ['parts'],
    effects: ['deny', 'ask', 'set', ...TELL],
  }),
  'agent.before': row({
    when: 'The prompt is accepted and the agent is about to start on it; a hook can insert a message first.',
    payload: (z) =>
      z.object({ prompt: z.string(), images: list(z).optional(), systemPrompt: z.string().optional() }),
    subject: null,
    mutable: ['systemPrompt'],
    effects: ['give', 'set', 'notice'],
    gives: ['message'],
  }),
  'agent.start': row({
    when: 'The agent starts on a prompt.',
    payload: (z) => z.object({}),
    subject: null,
    mutable: [],
    effects: ['notice'],
  }),
  'agent.end': row({
    when: 'The agent has finished a prompt.',
    payload: (z) => z.object({ messages: list(z).optional() }),
    subject: null,
    mutable: [],
    effects: ['notice'],
  }),
  'agent.idle': row({
    when: 'The agent is idle again after a prompt and waits for the user.',
    payload: (z) => z.object({ index: z.number().optional() }),
    subject: null,
    mutable: [],
    effects: ['notice'],
  }),
  'turn.start': row({
    when: 'One request to the model and what follows from it begins.',
    payload: (z) => z.object({ index: z.number(), timestamp: z.number().optional() }),
    subject: null,
    mutable: [],
    effects: ['notice'],
  }),
  'turn.end': row({
    when: 'The model answered and the tools it called have ended.',
    payload: (z) =>
      z.object({ index: z.number(), message: any(z).optional(), toolResults: list(z).optional() }),
    subject: null,
    mutable: [],
    effects: ['notice'],
  }),
  'turn.stop': row({
    when: 'The agent wants to stop; a hook can make it continue, at most eight times in a row.',
    payload: (z) =>
      z.object({
        /** True if the agent continues only because a stop hook made it. */
        active: z.boolean(),
        reason: z.string().optional(),
        lastMessage: z.string().optional(),
      }),
    subject: null,
    mutable: [],
    effects: ['resume', 'halt', ...TELL],
    ends: true,
  }),
  'model.context': row({
    when: 'Before every request to the model, with the messages it will see.',
    payload: (z) => z.object({ messages: list(z) }),
    subject: null,
    mutable: ['messages'],
    effects: ['set', 'notice'],
  }),
  'model.system': row({
    when: 'Before every request to the model, with the system prompt in parts.',
    payload: (z) => z.object({ system: z.array(z.string()), model: any(z).optional() }),
    subject: null,
    mutable: ['system'],
    effects: ['set', 'notice'],
  }),
  'model.parameters': row({
    when: 'Before every request to the model, with its parameters and headers.',
    payload: (z) =>
      z.object({
        model: any(z).optional(),
        provider: any(z).optional(),
        message: any(z).optional(),
        temperature: z.number().optional(),
        topP: z.number().optional(),
        topK: z.number().optional(),
        maxOutputTokens: z.number().optional(),
        options: fields(z).optional(),
        headers: z.record(z.string(), z.string()).optional(),
      }),
    subject: null,
    mutable: ['temperature', 'topP', 'topK', 'maxOutputTokens', 'options', 'headers'],
    effects: ['set', 'notice'],
  }),
  'model.small': row({
    when: 'The small model for side jobs (titles, summaries) is chosen.',
    payload: (z) => z.object({ provider: any(z).optional(), model: any(z).optional() }),
    subject: null,
    mutable: ['model'],
    effects: ['set', 'notice'],
  }),
  'model.request': row({
    when: 'An HTTP request is about to go to a model provider.',
    payload: (z) =>
      z.object({
        url: z.string(),
        method: z.string(),
        headers: fields(z).optional(),
        body: any(z).optional(),
      }),
    subject: 'url',
    mutable: ['url', 'method', 'headers', 'body'],
    effects: ['deny', 'set', 'give', 'notice'],
    gives: ['response'],
  }),
  'model.response': row({
    when: 'A model provider answered an HTTP request.',
    payload: (z) => z.object({ status: z.number(), headers: fields(z).optional(), body: any(z).optional() }),
    subject: null,
    mutable: ['body'],
    effects: ['set', 'notice', 'halt'],
  }),
  'model.text': row({
    when: 'A piece of text from the model is complete.',
    payload: (z) =>
      z.object({ text: z.string(), message: z.string().optional(), part: z.string().optional() }),
    subject: null,
    mutable: ['text'],
    effects: ['set', 'notice'],
    withheld: (text) => ({ text }),
  }),
  'tool.before': row({
    when: 'The model requested a tool call; it has not run.',
    payload: (z) => z.object({ tool: z.string(), input: fields(z) }),
    subject: 'tool',
    mutable: ['input'],
    effects: [...DECIDE, 'set', ...TELL, 'halt'],
    question: 'tool.permission',
  }),
  'tool.permission': row({
    when: 'The agent is about to ask the user whether a tool call may run.',
    payload: (z) =>
      z.object({
        tool: z.string(),
        input: fields(z),
        title: z.string().optional(),
        pattern: z.union([z.string(), z.array(z.string())]).optional(),
        suggestions: list(z).optional(),
        metadata: fields(z).optional(),
      }),
    subject: 'tool',
    mutable: ['input'],
    effects: [...DECIDE, 'set', 'notice', 'halt', 'give'],
    gives: ['rules'],
    unanswered: 'ask',
  }),
  'tool.denied': row({
    when: 'A tool call was refused by a rule or by the user.',
    payload: (z) => z.object({ tool: z.string(), input: fields(z), reason: z.string().optional() }),
    subject: 'tool',
    mutable: [],
    effects: ['retry', ...TELL],
  }),
  'tool.after': row({
    when: 'A tool call has returned.',
    payload: (z) =>
      z.object({
        tool: z.string(),
        input: fields(z),
        content: z.array(z.unknown()),
        title: z.string().optional(),
        details: any(z).optional(),
        isError: z.boolean().optional(),
        /** Run time of the tool. */
        durationMs: z.number().optional(),
      }),
    subject: 'tool',
    mutable: ['content', 'title', 'details', 'isError'],
    modelReads: ['content'],
    effects: ['set', ...TELL, 'halt'],
    withheld: (text) => ({ content: [{ type: 'text', text }], details: {}, isError: true }),
  }),
  'tool.failed': row({
    when: 'A tool call threw, timed out or was interrupted.',
    payload: (z) =>
      z.object({
        tool: z.string(),
        input: fields(z),
        error: z.string(),
        interrupted: z.boolean().optional(),
        durationMs: z.number().optional(),
      }),
    subject: 'tool',
    mutable: ['error'],
    effects: ['set', ...TELL, 'halt'],
    withheld: (text) => ({ error: text }),
  }),
  'tool.offered': row({
    when: 'A tool definition is about to be shown to the model.',
    payload: (z) =>
      z.object({ tool: z.string(), description: z.string().optional(), parameters: any(z).optional() }),
    subject: 'tool',
    mutable: ['description', 'parameters'],
    effects: ['set', 'notice'],
  }),
  'auth.offered': row({
    when: 'A plugin offers a way to log in to a provider.',
    payload: (z) => z.object({ provider: z.string(), methods: list(z).optional() }),
    subject: 'provider',
    mutable: [],
    effects: ['notice'],
  }),
  'shell.env': row({
    when: 'A shell is about to start, with the environment it will have.',
    payload: (z) => z.object({ cwd: z.string(), env: z.record(z.string(), z.string()) }),
    subject: null,
    mutable: ['env'],
    effects: ['set', 'notice'],
  }),
  'file.edited': row({
    when: 'A file of the project was written by the agent.',
    payload: (z) => z.object({ file: z.string(), change: z.string().optional() }),
    subject: 'file',
    mutable: [],
    effects: [...TELL, 'give'],
    gives: ['environment'],
  }),
  'subagent.start': row({
    when: 'A subagent is about to start.',
    payload: (z) => z.object({ type: z.string().optional(), prompt: z.string().optional() }),
    subject: 'type',
    mutable: [],
    effects: ['deny', ...TELL],
  }),
  'subagent.stop': row({
    when: 'A subagent wants to stop; a hook can make it continue.',
    payload: (z) =>
      z.object({
        type: z.string().optional(),
        active: z.boolean().optional(),
        reason: z.string().optional(),
        lastMessage: z.string().optional(),
      }),
    subject: 'type',
    mutable: [],
    effects: ['resume', 'halt', ...TELL],
    ends: true,
  }),
  'notification.sent': row({
    when: 'The agent notifies the user.',
    payload: (z) =>
      z.object({ kind: z.string().optional(), message: z.string(), title: z.string().optional() }),
    subject: 'kind',
    mutable: [],
    effects: [...TELL],
  }),
  'config.loaded': row({
    when: 'The host has read its configuration.',
    payload: (z) => z.object({ config: any(z), source: z.string().optional() }),
    subject: 'source',
    mutable: ['config'],
    effects: ['set', 'deny', 'notice'],
  }),
  'compaction.before': row({
    when: 'The conversation is about to be compacted.',
    payload: (z) =>
      z.object({
        trigger: z.string(),
        messageCount: z.number().optional(),
        instructions: z.string().optional(),
        preparation: any(z).optional(),
        entries: list(z).optional(),
      }),
    subject: 'trigger',
    mutable: ['instructions'],
    effects: ['cancel', 'give', 'set', ...TELL],
    gives: ['compaction'],
  }),
  'compaction.prompt': row({
    when: 'The prompt that asks the model for the summary is being written.',
    payload: (z) =>
      z.object({
        messages: list(z).optional(),
        context: z.array(z.string()).optional(),
        prompt: z.string().optional(),
      }),
    subject: null,
    mutable: ['context', 'prompt'],
    effects: ['set', 'give', 'notice'],
    gives: ['preserve'],
  }),
  'compaction.after': row({
    when: 'The history has been replaced by its summary.',
    payload: (z) =>
      z.object({
        trigger: z.string().optional(),
        summary: z.string().optional(),
        before: z.number().optional(),
        after: z.number().optional(),
        entry: any(z).optional(),
        fromHook: z.boolean().optional(),
      }),
    subject: 'trigger',
    mutable: [],
    effects: [...TELL],
  }),
  'compaction.continue': row({
    when: 'An automatic compaction has ended; decides whether the agent continues by itself.',
    payload: (z) => z.object({ enabled: z.boolean(), overflow: z.boolean().optional() }),
    subject: null,
    mutable: ['enabled'],
    effects: ['set', 'notice'],
  }),
  'autocompaction.start': row({
    when: 'An automatic compaction starts.',
    payload: (z) => z.object({ reason: z.string(), action: z.string().optional() }),
    subject: 'reason',
    mutable: [],
    effects: ['notice'],
  }),
  'autocompaction.end': row({
    when: 'An automatic compaction has succeeded, failed or been aborted.',
    payload: (z) =>
      z.object({
        result: any(z).optional(),
        aborted: z.boolean(),
        willRetry: z.boolean(),
        error: z.string().optional(),
        action: z.string().optional(),
        skipped: z.boolean().optional(),
      }),
    subject: null,
    mutable: [],
    effects: ['notice'],
  }),
  'retry.start': row({
    when: 'The agent is about to retry a failed request to the model.',
    payload: (z) =>
      z.object({ attempt: z.number(), maxAttempts: z.number(), delayMs: z.number(), error: z.string() }),
    subject: null,
    mutable: [],
    effects: ['notice'],
  }),
  'retry.end': row({
    when: 'Retrying a request has succeeded or been given up.',
    payload: (z) => z.object({ success: z.boolean(), attempt: z.number(), error: z.string().optional() }),
    subject: null,
    mutable: [],
    effects: ['notice'],
  }),
  'rule.triggered': row({
    when: 'Streamed output matched a rule; the stream was stopped and the rule inserted.',
    payload: (z) => z.object({ rules: list(z) }),
    subject: null,
    mutable: [],
    effects: ['notice'],
  }),
  'todo.reminder': row({
    when: 'The agent tried to end with open todos and was reminded.',
    payload: (z) => z.object({ todos: list(z), attempt: z.number(), maxAttempts: z.number() }),
    subject: null,
    mutable: [],
    effects: ['notice'],
  }),
  other: row({
    when: 'An agent event that has no row in this table; passed on unchanged.',
    payload: (z) => z.object({ word: z.string(), body: any(z).optional() }),
    subject: 'word',
    mutable: ['body'],
    effects: [...DECIDE, 'set', ...TELL, 'halt', 'cancel', 'resume', 'retry', 'give'],
    gives: [
      'message',
      'compaction',
      'summary',
      'title',
      'environment',
      'rules',
      'skip-restore',
      'preserve',
      'response',
    ],
  }),
} as const;

export type EventName = keyof typeof EVENTS;
export type Payload<E extends EventName = EventName> = zod.infer<ReturnType<(typeof EVENTS)[E]['payload']>>;
/**
 * Effects that a hook may return for an event: the kinds that count, changes of the event's fields, and its
 * gifts.
 */
export type EffectFor<E extends EventName> =
  | EffectOf<Exclude<(typeof EVENTS)[E]['effects'][number], 'set' | 'give'>>
  | ChangeFor<E>
  | GiftFor<E>;

/** Read-only lists are accepted as lists. */
type Settable<T> = T extends readonly (infer I)[] ? readonly I[] : T;
type KeyOf<T> = unknown extends T ? unknown : T extends Readonly<Record<string, infer V>> ? V : never;
type FieldChange<F, T> =
  | { readonly kind: 'set'; readonly at: readonly [field: F]; readonly to?: Settable<T> }
  | ([KeyOf<T>] extends [never]
      ? never
      : { readonly kind: 'set'; readonly at: readonly [field: F, key: string]; readonly to?: KeyOf<T> });
/** Fields of the event that hooks may change. */
export type MutableField<E extends EventName = EventName> = E extends EventName
  ? (typeof EVENTS)[E]['mutable'][number]
  : never;
export type ChangeFor<E extends EventName> = E extends EventName
  ? { [F in MutableField<E>]: FieldChange<F, Payload<E>[F & keyof Payload<E>]> }[MutableField<E>]
  : never;
/** Values that some event accepts for a field, or for a key of it. */
export type MutableValue<F extends MutableField> = {
  [E in EventName]: F extends MutableField<E> ? Settable<Payload<E>[F & keyof Payload<E>]> : never;
}[EventName];
export type MutableKey<F extends MutableField> = KeyOf<MutableValue<F>>;

type GiftFor<E extends EventName> = E extends EventName
  ? {
      [G in NonNullable<(typeof EVENTS)[E]['gives']>[number]]: {
        readonly kind: 'give';
        readonly what: G;
        readonly value: GiftValue<G>;
      };
    }[NonNullable<(typeof EVENTS)[E]['gives']>[number]]
  : never;

export const EVENT_NAMES = Object.keys(EVENTS) as readonly EventName[];
export const isEventName = (name: string): name is EventName => Object.hasOwn(EVENTS, name);

/** A row as the engine reads it, without the exact payload type. */
export interface EventRow {
  readonly when: string;
  readonly subject: string | null;
  readonly mutable: readonly string[];
  readonly modelReads?: readonly string[];
  readonly effects: readonly EffectKind[];
  readonly gives?: readonly Gift[];
  readonly ends?: true;
  readonly unanswered?: 'ask';
  readonly withheld?: (text: string) => Readonly<Record<string, unknown>>;
  readonly question?: 'tool.permission';
}
export const rowOf = (name: EventName): EventRow => EVENTS[name];
