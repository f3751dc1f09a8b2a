/** A `fetch` in another process: the request is sent in parts, and the response is returned as a stream. */

import type { OpenedForeign } from '../runners/isolated/open-foreign.ts';

type Init = Omit<RequestInit, 'signal' | 'headers'> & { headers?: Record<string, string> };
type Far = (url: string, init: Init) => Promise<unknown>;

/** Calls a function from a provider's options. A call like `fetch` passes the transferable parts of the request. */
export function fetchOver(far: Far, use: OpenedForeign['use']) {
  return async (input?: unknown, init?: RequestInit): Promise<unknown> => {
    if (!(typeof input === 'string' || input instanceof URL || input instanceof Request))
      return await use(() => (far as (...args: unknown[]) => Promise<unknown>)(input, init));
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const url = input instanceof Request ? input.url : String(input);
    const parts = await partsOf(input, init);
    return await use(() => far(url, parts), signal ?? undefined);
  };
}

async function partsOf(input: string | URL | Request, init: RequestInit = {}): Promise<Init> {
  const request = input instanceof Request ? input : undefined;
  const { signal: _, headers, body, ...rest } = init;
  const all = new Headers(request?.headers);
  for (const [name, value] of new Headers(headers)) all.set(name, value);
  const sent = await bodyOf(body ?? request?.clone().body ?? undefined, all);
  return {
    method: request?.method ?? 'GET',
    ...plainOf(rest),
    headers: Object.fromEntries(all),
    ...(sent !== undefined && { body: sent }),
    ...(sent instanceof ReadableStream && { duplex: 'half' }),
  };
}

/** Text bodies stay text, because plugins read them as such. Streams are sent in parts, everything else as bytes. */
async function bodyOf(
  body: RequestInit['body'] | undefined,
  headers: Headers,
): Promise<string | Uint8Array<ArrayBuffer> | ReadableStream | undefined> {
  if (body === undefined || typeof body === 'string') return body;
  if (body instanceof ReadableStream && !TEXTUAL.test(headers.get('content-type') ?? ''))
    return plainStream(body);
  const read = new Response(body);
  const type = headers.get('content-type') ?? read.headers.get('content-type');
  if (type !== null) headers.set('content-type', type);
  const bytes = new Uint8Array(await read.arrayBuffer());
  return type !== null && TEXTUAL.test(type) ? new TextDecoder().decode(bytes) : bytes;
}
const TEXTUAL = /^(text\/|application\/([\w.-]+\+)?(json|xml)\b|application\/x-www-form-urlencoded\b)/i;

/** Streams of a request and of `pipeThrough` have classes that cannot be transferred. */
function plainStream(stream: ReadableStream): ReadableStream {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(out) {
      const { done, value } = await reader.read();
      if (done) out.close();
      else out.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

const plainOf = (rest: object): object =>
  Object.fromEntries(
    Object.entries(rest).filter(([, value]) => ['string', 'boolean'].includes(typeof value)),
  );
