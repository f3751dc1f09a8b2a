/**
 * Sends one streamed request to the model. `streamText` runs a single step with tools that cannot execute, so the
 * agent controls everything between two requests.
 */

import { jsonSchema, type ModelMessage, streamText, tool, type ToolSet } from 'ai';
import type { Fields } from 'anyhook';
import type { Payload } from 'anyhook';
import { askedFrom } from '../hooks/actor.ts';
import { onTrack } from '../models/track.ts';
import type { AssistantMessage, TextPart, ThinkingPart, ToolCallPart } from '../session/message.ts';
import type { StreamRules } from './stream-rules.ts';
import type { Talk } from './talk.ts';

export interface Question {
  readonly system: string;
  readonly messages: ModelMessage[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly parameters: Fields;
  }[];
  readonly parameters: Payload<'model.parameters'>;
}
export interface ModelAnswer {
  readonly message: AssistantMessage;
  readonly error?: unknown;
  /** Stream rules that matched. The stream was stopped there. */
  readonly rules: readonly Fields[];
}

export async function askModel(talk: Talk, question: Question, rules: StreamRules): Promise<ModelAnswer> {
  const { life, listen, signal, track, agent, who } = talk;
  const stop = new AbortController();
  const { temperature, topP, topK, maxOutputTokens, options, headers } = question.parameters;
  const terms: Parameters<typeof streamText>[0] = {
    model: life.model.model,
    system: question.system,
    messages: question.messages,
    tools: toolSet(question.tools),
    maxRetries: 0,
    abortSignal: AbortSignal.any([signal, stop.signal]),
    // Hooks write provider options without the provider name around them, as plugins of OpenCode do.
    providerOptions: { [providerKey(life.model.model)]: options as Options, ...onTrack(track, agent?.id) },
    onError: () => {}, // Handled below.
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(headers !== undefined && { headers }),
  };
  const result = askedFrom(who, () => streamText(terms));
  const streamed = new StreamedMessage(talk);
  let matched: readonly Fields[] = [];
  let error: unknown;
  try {
    for await (const part of result.fullStream) {
      if (part.type === 'error') error = part.error;
      else await streamed.hear(part as Part);
      if (part.type !== 'text-delta') continue;
      matched = rules.matching(streamed.text);
      if (matched.length > 0) {
        stop.abort();
        break;
      }
    }
  } catch (thrown) {
    error = thrown;
  }
  if (signal.aborted) error = undefined;
  else if (error === undefined && matched.length === 0 && !streamed.isWhole)
    error = new TypeError('the stream ended before the answer did');
  const message = streamed.message(
    signal.aborted ? 'aborted' : error === undefined ? undefined : 'error',
    life.model,
  );
  if (message.usage !== undefined) listen({ kind: 'usage', ...message.usage });
  return { message, rules: matched, ...(error !== undefined && { error }) };
}

type Options = NonNullable<NonNullable<Parameters<typeof streamText>[0]['providerOptions']>[string]>;
/** `openai.responses` reads its options from `openai`, and `openai-compatible.chat` from `openaiCompatible`. */
const providerKey = ({ provider }: { readonly provider: string }): string =>
  provider.split('.')[0]!.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function toolSet(tools: Question['tools']): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters) }),
    ]),
  );
}

/** The fields of a stream part that this module reads. */
interface Part {
  readonly type: string;
  readonly id?: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly providerMetadata?: Fields;
  readonly finishReason?: string;
  readonly usage?: { readonly inputTokens?: number | undefined; readonly outputTokens?: number | undefined };
}
type Piece = TextPart | ThinkingPart | ToolCallPart;

class StreamedMessage {
  readonly #talk: Talk;
  readonly #pieces: Piece[] = [];
  readonly #open = new Map<string, { at: number; text: string }>();
  #finish: string | undefined;
  #usage: AssistantMessage['usage'];
  constructor(talk: Talk) {
    this.#talk = talk;
  }
  /** Whether the provider reported the end of the answer. */
  get isWhole(): boolean {
    return this.#finish !== undefined && (this.#finish !== 'other' || this.#pieces.length > 0);
  }
  /** The text of the model, without reasoning and call arguments. */
  get text(): string {
    return this.#pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join('\n');
  }

  async hear(part: Part): Promise<void> {
    const { listen } = this.#talk;
    const more = part.providerMetadata === undefined ? {} : { providerOptions: part.providerMetadata };
    const key = `${part.type.split('-')[0]}:${part.id}`;
    switch (part.type) {
      case 'text-start':
        this.#open.set(key, { at: this.#pieces.push({ type: 'text', text: '', ...more }) - 1, text: '' });
        return;
      case 'reasoning-start':
        this.#open.set(key, {
          at: this.#pieces.push({ type: 'thinking', thinking: '', ...more }) - 1,
          text: '',
        });
        return;
      case 'text-delta':
      case 'reasoning-delta': {
        const open = this.#open.get(key);
        if (open === undefined) return;
        open.text += part.text ?? '';
        this.#write(open, more);
        listen({ kind: part.type === 'text-delta' ? 'text' : 'thinking', delta: part.text ?? '' });
        return;
      }
      case 'reasoning-end':
        this.#write(this.#open.get(key), more);
        return;
      case 'text-end':
        return this.#endText(this.#open.get(key), more);
      case 'tool-call':
        this.#pieces.push({
          type: 'toolCall',
          id: part.toolCallId!,
          name: part.toolName!,
          arguments: fieldsOf(part.input),
          ...more,
        });
        return;
      case 'finish-step':
        this.#finish = part.finishReason;
        this.#usage = { input: part.usage?.inputTokens ?? 0, output: part.usage?.outputTokens ?? 0 };
    }
  }

  #write(open: { at: number; text: string } | undefined, more: Fields): void {
    const piece = open && this.#pieces[open.at];
    if (open === undefined || piece === undefined) return;
    this.#pieces[open.at] = {
      ...piece,
      ...(piece.type === 'text' ? { text: open.text } : { thinking: open.text }),
      ...more,
    } as Piece;
  }

  /** Text that a hook changed loses the provider's reference to the original. */
  async #endText(open: { at: number; text: string } | undefined, more: Fields): Promise<void> {
    if (open === undefined) return;
    this.#write(open, more);
    const { life, who, listen } = this.#talk;
    const text = await life.wire.modelText(who, { text: open.text, part: String(open.at) });
    if (text !== open.text) this.#pieces[open.at] = { type: 'text', text };
    if (text !== '') listen({ kind: 'said', text });
  }

  message(
    ended: 'aborted' | 'error' | undefined,
    { id: model, provider }: { readonly id: string; readonly provider: string },
  ): AssistantMessage {
    const isCutOff = ended !== undefined || this.#finish === undefined;
    // Providers reject reasoning or a call that was cut off.
    const content = isCutOff
      ? this.#pieces.filter((piece) => piece.type === 'text' && piece.text !== '')
      : this.#pieces;
    const stopReason =
      ended ?? (this.#finish === 'tool-calls' || this.#finish === 'length' ? this.#finish : 'stop');
    return {
      role: 'assistant',
      content,
      timestamp: Date.now(),
      provider,
      model,
      ...(this.#usage && { usage: this.#usage }),
      stopReason,
    };
  }
}

const fieldsOf = (input: unknown): Fields =>
  typeof input === 'object' && input !== null && !Array.isArray(input)
    ? (input as Fields)
    : input === undefined
      ? {}
      : { input };
