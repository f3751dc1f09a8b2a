/** Hooks around a model of the AI SDK: they see and change requests and responses. */

import type { Fields } from '../../events/effects.ts';
import type { Ids } from '../../events/event.ts';
import type { EventName, Payload } from '../../events/events.ts';
import { isFields } from '../../events/fields.ts';
import type { Outcome } from '../../events/outcome.ts';
import type { Hooks } from '../../library/hooks.ts';
import { sayLost } from '../shared/say-lost.ts';
import { warn } from '../shared/warn.ts';
import { withKeptContext } from './kept-context.ts';
import { soundMessages, split, systemFrom, withoutFiles } from './prompt.ts';
import type { SdkGenerated, SdkModel, SdkParams, SdkStreamed } from './sdk.ts';

export interface MiddlewareOptions {
  readonly ids?: Partial<Ids>;
  /** Receives every outcome. Without it, lost effects become warnings. */
  readonly onOutcome?: (outcome: Outcome) => void;
}
/** A `LanguageModelMiddleware` of the AI SDK. */
export interface HookMiddleware {
  readonly specificationVersion: 'v3';
  transformParams<P extends SdkParams>(call: { readonly params: P; readonly model: SdkModel }): Promise<P>;
  wrapGenerate<R extends SdkGenerated>(call: {
    readonly doGenerate: () => PromiseLike<R>;
    readonly params: SdkParams;
  }): Promise<R>;
  wrapStream<R extends SdkStreamed>(call: {
    readonly doStream: () => PromiseLike<R>;
    readonly params: SdkParams;
  }): Promise<R>;
}

/**
 * For `wrapLanguageModel`. `model.context`, `model.system` and `model.parameters` can change each request, `model.text` the
 * response. Texts for the model from tool hooks (`wrapTools` with the same hooks) follow the tool results.
 */
export function hookMiddleware(
  hooks: Pick<Hooks, 'fire' | 'wants'>,
  { ids, onOutcome = sayLost }: MiddlewareOptions = {},
): HookMiddleware {
  const fire = async <E extends EventName>(
    name: E,
    payload: Payload<E>,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<E>> => {
    const outcome = await hooks.fire({ name, payload, ...(ids && { ids }), ...(signal && { signal }) });
    onOutcome(outcome);
    signal?.throwIfAborted();
    return outcome;
  };
  const judge = (signal: AbortSignal | undefined) => async (text: string) => {
    const { payload } = await fire('model.text', { text }, signal);
    return typeof payload['text'] === 'string' ? payload['text'] : text;
  };
  return {
    specificationVersion: 'v3',
    async transformParams({ params, model }) {
      const prompt = await promptFor(hooks, params, model, fire);
      return { ...params, prompt, ...(await parametersFor(hooks, { ...params, prompt }, model, fire)) };
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      if (!hooks.wants['model.text']) return result;
      const content: object[] = [];
      for (const part of result.content) content.push(await saidPart(part, judge(params.abortSignal)));
      return { ...result, content };
    },
    async wrapStream({ doStream, params }) {
      const result = await doStream();
      if (!hooks.wants['model.text']) return result;
      return { ...result, stream: result.stream.pipeThrough(holdText(judge(params.abortSignal))) };
    },
  };
}

type Fire = <E extends EventName>(
  name: E,
  payload: Payload<E>,
  signal: AbortSignal | undefined,
) => Promise<Outcome<E>>;

async function promptFor(
  hooks: Pick<Hooks, 'fire' | 'wants'>,
  { prompt, abortSignal }: SdkParams,
  model: SdkModel,
  fire: Fire,
): Promise<readonly object[]> {
  const parts = split(prompt);
  let rest = withKeptContext(hooks, parts.rest);
  let { system } = parts;
  if (hooks.wants['model.context']) {
    const { shown, back } = withoutFiles(rest);
    const { payload, changed } = await fire('model.context', { messages: [...shown] }, abortSignal);
    if (changed.length > 0) {
      const { messages, dropped } = soundMessages(payload['messages'] as readonly unknown[]); // checked by the event table
      if (dropped > 0) warn('model.context', `${dropped} messages from hooks are invalid and were omitted`);
      rest = back(messages);
    }
  }
  if (hooks.wants['model.system']) {
    const texts = system.map(({ content }) => String(content));
    const { payload, changed } = await fire(
      'model.system',
      { system: texts, model: nameOf(model) },
      abortSignal,
    );
    if (changed.length > 0) system = systemFrom(payload['system'] as readonly unknown[], system);
  }
  return [...system, ...rest];
}

const NUMBERS = ['temperature', 'topP', 'topK', 'maxOutputTokens'] as const;

/** Options are those of the model's own provider, without its name around them, as OpenCode plugins write them. */
async function parametersFor(
  hooks: Pick<Hooks, 'wants'>,
  params: SdkParams,
  model: SdkModel,
  fire: Fire,
): Promise<Partial<SdkParams>> {
  if (!hooks.wants['model.parameters']) return {};
  const key = model.provider.split('.')[0]!;
  const numbers = Object.fromEntries(
    NUMBERS.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])),
  );
  const { payload, changed } = await fire(
    'model.parameters',
    {
      model: nameOf(model),
      provider: { id: key },
      message: withoutFiles(split(params.prompt).rest).shown.findLast(({ role }) => role === 'user'),
      ...numbers,
      options: { ...params.providerOptions?.[key] },
      headers: definedIn(params.headers),
    },
    params.abortSignal,
  );
  if (changed.length === 0) return {};
  const { options, headers } = payload;
  return {
    ...Object.fromEntries(NUMBERS.map((name) => [name, payload[name]])),
    ...(isFields(options) && { providerOptions: { ...params.providerOptions, [key]: options } }),
    ...(isFields(headers) && { headers: definedIn(headers) }),
  };
}

const nameOf = ({ provider, modelId }: SdkModel): Fields => ({ providerID: provider, modelID: modelId });
const definedIn = (headers: Fields = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );

async function saidPart(part: object, judge: (text: string) => Promise<string>): Promise<object> {
  const { type, text: said } = part as { type?: unknown; text?: unknown };
  if (type !== 'text' || typeof said !== 'string') return part;
  const text = await judge(said);
  return text === said ? part : { type, text };
}

/**
 * Streamed text is held back until complete, so that a hook can remove a secret before it is shown. Everything else passes
 * at once.
 */
interface HeldText {
  readonly start: Fields;
  text: string;
}

function holdText(judge: (text: string) => Promise<string>): TransformStream<unknown, unknown> {
  const open = new Map<unknown, HeldText>();
  type Out = TransformStreamDefaultController<unknown>;
  const release = async (id: unknown, end: Fields | undefined, out: Out): Promise<void> => {
    const held = open.get(id);
    if (held === undefined) return;
    open.delete(id);
    const text = await judge(held.text);
    // If a hook changed the text, the provider's metadata about it is dropped.
    const noted = (part: Fields): Fields => (text === held.text ? part : { type: part['type'], id });
    out.enqueue(noted(held.start));
    if (text !== '') out.enqueue({ type: 'text-delta', id, delta: text });
    if (end !== undefined) out.enqueue(noted(end));
  };
  const releaseAll = async (out: Out): Promise<void> => {
    for (const id of open.keys()) await release(id, undefined, out);
  };
  return new TransformStream({
    async transform(part, out) {
      const { type, id, delta } = isFields(part) ? part : {};
      if (type === 'text-start') open.set(id, { start: part as Fields, text: '' });
      else if (type === 'text-delta' && open.has(id)) open.get(id)!.text += String(delta);
      else if (type === 'text-end' && open.has(id)) await release(id, part as Fields, out);
      else {
        // Truncated text has no end event.
        if (type === 'finish' || type === 'error') await releaseAll(out);
        out.enqueue(part);
      }
    },
    flush: releaseAll,
  });
}
