/** Hooks around a provider's `fetch`: they may refuse, change or answer a request, and change the response. */

import { middleware, type Next } from '../../agents/opencode/api/middleware.ts';
import type { Fields } from '../../events/effects.ts';
import type { EventInput } from '../../events/event.ts';
import type { GiftValue } from '../../events/gifts.ts';
import type { Outcome } from '../../events/outcome.ts';
import type { Hooks } from '../../library/hooks.ts';

type Levels = 'model.request' | 'model.response';
/** The hooks themselves, or a wrapper with which a host adds data to each fire. */
export interface HttpHooks {
  readonly wants: Pick<Hooks['wants'], Levels>;
  readonly fire: <E extends Levels>(input: EventInput<E>) => Promise<Outcome<E>>;
}

/** The request was not sent, or its response was stopped. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
}

/** For the `fetch` option of any provider: `createAnthropic({ fetch: hookedFetch(hooks) })`. */
export function hookedFetch(hooks: HttpHooks, base: typeof fetch = fetch): typeof fetch {
  const hooked = middleware(base, async (request, next) => {
    const response = hooks.wants['model.request'] ? await asked(request, hooks, next) : await next(request);
    return hooks.wants['model.response'] ? await heard(response, hooks) : response;
  });
  return (input, init) =>
    hooks.wants['model.request'] || hooks.wants['model.response'] ? hooked(input, init) : base(input, init);
}

async function asked(request: Request, hooks: HttpHooks, next: Next): Promise<Response> {
  const shown = {
    url: request.url,
    method: request.method,
    headers: withoutSecrets(request.headers),
    body: parsed(await request.clone().text()),
  };
  const outcome = await hooks.fire({ name: 'model.request', payload: shown });
  if (outcome.proceed !== 'yes')
    throw new RequestRefused(`a hook refused the request to the model: ${whyNot(outcome)}`);
  const answer = outcome.gift('response');
  if (answer !== undefined) return responseOf(answer);
  return next(requestOf(request, shown.headers, outcome.payload as typeof shown)); // in the shape that hooks saw
}

function requestOf(
  from: Request,
  shown: Readonly<Record<string, string>>,
  { url, method, headers, body }: { url: string; method: string; headers: Fields; body: unknown },
): Request {
  const sent = new Headers(from.headers);
  for (const [name, value] of Object.entries(headers)) if (value !== HIDDEN) sent.set(name, String(value));
  for (const name of Object.keys(shown)) if (!(name in headers)) sent.delete(name);
  sent.delete('content-length');
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(url, {
    method,
    headers: sent,
    ...(hasBody && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: from.signal,
  });
}

/** A streamed body is not changed here: hooks see status and headers, and get the text as `model.text`. */
async function heard(response: Response, hooks: HttpHooks): Promise<Response> {
  const isStream = /event-stream/.test(response.headers.get('content-type') ?? '');
  const text = isStream ? undefined : await response.text();
  const outcome = await hooks.fire({
    name: 'model.response',
    payload: {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      ...(text !== undefined && { body: parsed(text) }),
    },
  });
  if (outcome.proceed !== 'yes')
    throw new RequestRefused(`a hook stopped the answer of the model: ${whyNot(outcome)}`);
  if (text === undefined) return response;
  const changedBody = outcome.payload.body;
  const body =
    outcome.changed.length === 0
      ? text
      : typeof changedBody === 'string'
        ? changedBody
        : JSON.stringify(changedBody);
  return new Response(body, { status: response.status, headers: withoutLength(response.headers) });
}

const HIDDEN = '(hidden)';
const SECRET = /authorization|api-key|token|cookie/i;
/** Hides API keys from hooks. A header that a hook sets itself is sent. */
const withoutSecrets = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].map(([name, value]) => [name, SECRET.test(name) ? HIDDEN : value]));
function withoutLength(headers: Headers): Headers {
  const next = new Headers(headers);
  next.delete('content-length');
  next.delete('content-encoding');
  return next;
}
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
const responseOf = ({ status = 200, headers, body }: GiftValue<'response'>): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body ?? null), {
    status,
    headers: headers ?? { 'content-type': 'application/json' },
  });
const whyNot = ({ reason, aborted }: Outcome): string => (aborted ? 'it was interrupted' : reason);
