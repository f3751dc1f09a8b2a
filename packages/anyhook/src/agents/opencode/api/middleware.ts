/** Layers around a `fetch`: each receives the request and may read, change, answer or refuse it by throwing. */

export type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;
export type Next = (request: Request) => Promise<Response>;
export type Middleware = (request: Request, next: Next) => Response | Promise<Response>;

/**
 * Wraps a `fetch` in layers, the first one outermost. Bodies are passed on unread. A layer may call `next` again to
 * retry. A request whose body was sent cannot be sent twice, so such a layer passes a clone.
 */
export function middleware(fetch: Fetch, ...layers: readonly Middleware[]): Fetch {
  for (const layer of layers)
    if (typeof layer !== 'function')
      throw new TypeError(
        `a middleware layer must be a function (request, next) => response, not ${typeof layer}`,
      );
  // The innermost layer passes a complete request to the real `fetch`.
  const send: Next = (request) => fetch(request);
  const road = layers.reduceRight<Next>((next, layer, index) => around(layer, next, index), send);
  return async (input, init) => road(new Request(input, init && withDuplex(init)));
}

function around(layer: Middleware, next: Next, index: number): Next {
  const guarded: Next = async (request) => {
    if (!isRequest(request)) throw new TypeError(`layer ${index + 1} called next without a Request`);
    if (request.bodyUsed)
      throw new TypeError(
        `layer ${index + 1} called next with a request whose body is already read; pass request.clone() to send it twice`,
      );
    return next(request);
  };
  return async (request) => {
    const response = await layer(request, guarded);
    if (!isResponse(response)) throw new TypeError(`layer ${index + 1} of middleware returned no Response`);
    return response;
  };
}

/** Checked by behaviour, because another realm or SDK may have its own class. */
const isRequest = (value: unknown): value is Request =>
  typeof value === 'object' && value !== null && 'url' in value && 'headers' in value;
const isResponse = (value: unknown): value is Response =>
  typeof value === 'object' && value !== null && 'status' in value && 'headers' in value;

/** Node requires this option for a streamed body. */
const withDuplex = (init: RequestInit): RequestInit =>
  init.body instanceof ReadableStream ? ({ duplex: 'half', ...init } as RequestInit) : init;
