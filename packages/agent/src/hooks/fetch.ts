/** Hooks around the provider's `fetch`: they may refuse a request, change it, answer it, and change what came back. */
import type { Fields } from 'anyhook';
import { type Seat, seatAsking } from './seat.ts';
import type { Wire } from './wire.ts';
import { giftsIn, isFields, isRefused, reasonOf } from './outcomes.ts';

/** The request did not go out. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
}

/** `usual`: who asks, where the request does not say. */
export function hookedFetch(wire: Wire, usual: () => Seat, base: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const { wants } = wire.hooks;
    if (!wants['model.request'] && !wants['model.response']) return base(input, init);
    const { middleware } = await import('anyhook/opencode');
    const seat = seatAsking() ?? usual();
    const hooked = middleware(base, async (request, next) => {
      const response = wants['model.request'] ? await asked(request, wire, seat, next) : await next(request);
      return wants['model.response'] ? heard(response, wire, seat) : response;
    });
    return hooked(input, init);
  };
}

async function asked(
  request: Request,
  wire: Wire,
  seat: Seat,
  next: (request: Request) => Promise<Response>,
): Promise<Response> {
  const text = await request.clone().text();
  const shown = {
    url: request.url,
    method: request.method,
    headers: withoutSecrets(request.headers),
    body: parsed(text),
  };
  const outcome = await wire.modelRequest(seat, shown);
  if (isRefused(outcome))
    throw new RequestRefused(`a hook refused the request to the model: ${reasonOf(outcome)}`);
  const [answer] = giftsIn(outcome, 'response').filter(isFields);
  if (answer !== undefined) return responseOf(answer);
  const { url, method, headers, body } = outcome.payload as typeof shown;
  const changed = new Headers(request.headers);
  for (const [name, value] of Object.entries(headers)) if (value !== HIDDEN) changed.set(name, String(value));
  for (const name of Object.keys(shown.headers)) if (!(name in headers)) changed.delete(name);
  changed.delete('content-length');
  const sent = new Request(url, {
    method,
    headers: changed,
    ...(method !== 'GET' &&
      method !== 'HEAD' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: request.signal,
  });
  return next(sent);
}

/** A streamed body is left alone: hooks see status and headers, the model's words come as `model.text`. */
async function heard(response: Response, wire: Wire, seat: Seat): Promise<Response> {
  const isStream = /event-stream/.test(response.headers.get('content-type') ?? '');
  const text = isStream ? undefined : await response.text();
  const headers = Object.fromEntries(response.headers);
  const body = text === undefined ? undefined : parsed(text);
  const outcome = await wire.modelResponse(seat, {
    status: response.status,
    headers,
    ...(body !== undefined && { body }),
  });
  if (outcome.flow.halt !== undefined)
    throw new RequestRefused(`a hook stopped the answer of the model: ${outcome.flow.halt}`);
  if (isStream) return response;
  const said = outcome.payload['body'];
  const changed =
    outcome.changed.length > 0 ? (typeof said === 'string' ? said : JSON.stringify(said)) : text!;
  return new Response(changed, { status: response.status, headers: withoutLength(response.headers) });
}

const HIDDEN = '(hidden)';
const SECRET = /authorization|api-key|token|cookie/i;
/** Keys are none of a hook's business; one that writes its own value is heard. */
const withoutSecrets = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].map(([name, value]) => [name, SECRET.test(name) ? HIDDEN : value]));
const withoutLength = (headers: Headers): Headers => {
  const next = new Headers(headers);
  next.delete('content-length');
  next.delete('content-encoding');
  return next;
};
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
const responseOf = ({ status, headers, body }: Fields): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body ?? null), {
    status: typeof status === 'number' ? status : 200,
    headers: isFields(headers) ? (headers as Record<string, string>) : { 'content-type': 'application/json' },
  });
