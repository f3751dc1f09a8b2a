/** The `client` of plugins: the real SDK, its requests answered by the host. */
import type { OpencodeClient } from '@opencode-ai/sdk';
import { answerFrom } from './answer.ts';
import { streamFrom, type OpenEventStream } from './event-stream.ts';
import type { ClientTerms } from './terms.ts';

/** No such host exists; nothing is ever sent to it. */
export const BASE_URL = 'http://opencode.invalid';

/** The SDK itself is loaded with the first call: most plugins never make one. */
export function makeClient(terms: ClientTerms): OpencodeClient {
  let loaded: Promise<OpencodeClient> | undefined;
  const load = (path: readonly string[]) => {
    if (path.join('.').endsWith('event.subscribe') || path.at(-1) === 'event') terms.onFollow?.();
    return (loaded ??= loadClient(terms));
  };
  return lazily(load, []) as OpencodeClient;
}

export async function loadClient(terms: ClientTerms): Promise<OpencodeClient> {
  const { createOpencodeClient } = await import('@opencode-ai/sdk/client');
  const client = createOpencodeClient({
    baseUrl: BASE_URL,
    directory: terms.directory,
    fetch: answerFrom(terms) as typeof fetch,
  });
  // Its event streams do not go through `fetch` above, and would reach for the network.
  const { _client } = client as unknown as { _client: { get: { sse: OpenEventStream } } };
  _client.get.sse = streamFrom(terms);
  return client;
}

type ClientMethod = (...args: unknown[]) => unknown;

/** Stands for `client.a.b` until it is called; every method of the SDK is asynchronous. */
function lazily(load: (path: readonly string[]) => Promise<object>, path: readonly string[]): unknown {
  const known = new Map<string, unknown>();
  return new Proxy(() => {}, {
    get(_, name) {
      if (typeof name === 'symbol' || name === 'then') return undefined; // it is no promise
      if (!known.has(name)) known.set(name, lazily(load, [...path, name]));
      return known.get(name);
    },
    async apply(_, __, args: unknown[]) {
      let owner = (await load(path)) as Record<string, unknown>;
      for (const name of path.slice(0, -1)) owner = (owner[name] ?? {}) as Record<string, unknown>;
      const method = owner[path.at(-1) ?? ''];
      if (typeof method !== 'function')
        throw new TypeError(`client.${path.join('.')} is not a function of @opencode-ai/sdk`);
      return (method as ClientMethod).apply(owner, args);
    },
  });
}
