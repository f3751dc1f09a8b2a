/** Layers around a `fetch`: each sees the request, and may look, change, answer in its place, or refuse by throwing. */

export type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;
export type Next = (request: Request) => Promise<Response>;
export type Middleware = (request: Request, next: Next) => Response | Promise<Response>;

/**
 * A `fetch` with the layers around it, the first one outermost. Bodies are passed on, not read. A layer may call `next` again
 * (to retry); a request whose body has been sent cannot be sent twice, so it hands in a clone for that.
 */
export function middleware(fetch: Fetch, ...layers: readonly Middleware[]): Fetch {
  for (const layer of layers)
    if (typeof layer !== 'function')
      throw new TypeError(
        `a middleware layer must be a function (request, next) => response, not ${typeof layer}`,
      );
  // What leaves the innermost layer is a whole request: nothing of it is lost on the way to the real `fetch`.
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

/** By what they can do: another realm or an SDK may bring its own class. */
const isRequest = (value: unknown): value is Request =>
  typeof value === 'object' && value !== null && 'url' in value && 'headers' in value;
const isResponse = (value: unknown): value is Response =>
  typeof value === 'object' && value !== null && 'status' in value && 'headers' in value;

/** Node wants to be told that a streamed body is sent while the answer is not there yet. */
const withDuplex = (init: RequestInit): RequestInit =>
  init.body instanceof ReadableStream ? ({ duplex: 'half', ...init } as RequestInit) : init;
