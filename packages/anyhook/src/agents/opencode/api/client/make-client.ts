/** The `client` of plugins: the real SDK, with requests answered by the host. */

import type { OpencodeClient } from '@opencode-ai/sdk';
import type * as Sdk from '@opencode-ai/sdk/client';
import { nativeImport } from '../../../../runners/module/native-import.mjs';
import { answerFrom } from './answer.ts';
import { streamFrom, type OpenEventStream } from './event-stream.ts';
import { INNER_PARTS, OWN_METHODS, PARTS, RAW_METHODS } from './sdk-methods.ts';
import type { ClientTerms } from './terms.ts';

/** This host does not exist, and nothing is ever sent to it. */
export const BASE_URL = 'http://opencode.invalid';

/** The SDK is loaded at the first call, because most plugins never make one. */
export function makeClient(terms: ClientTerms): OpencodeClient {
  let loaded: Promise<OpencodeClient> | undefined;
  const call: CallMethod = async (path, args) => {
    if (path.join('.').endsWith('event.subscribe') || path.at(-1) === 'event') terms.onFollow?.();
    const client = await (loaded ??= loadClient(terms));
    const owner = path.slice(0, -1).reduce<unknown>((at, name) => Reflect.get(Object(at), name), client);
    return Reflect.apply(Reflect.get(Object(owner), path.at(-1)!), owner, args);
  };
  const client = partOf([], OWN_METHODS, call);
  for (const [name, methods] of Object.entries(PARTS)) {
    const part = partOf([name], methods, call);
    for (const [inner, own] of Object.entries(INNER_PARTS[name] ?? {}))
      part[inner] = partOf([name, inner], own, call);
    client[name] = part;
  }
  Object.defineProperty(client, '_client', { value: partOf(['_client'], RAW_METHODS, call) });
  return client as unknown as OpencodeClient;
}

export async function loadClient(terms: ClientTerms): Promise<OpencodeClient> {
  const { createOpencodeClient } = (await nativeImport('@opencode-ai/sdk/client')) as typeof Sdk;
  const client = createOpencodeClient({
    baseUrl: BASE_URL,
    directory: terms.directory,
    fetch: answerFrom(terms) as typeof fetch,
  });
  // Its event streams bypass the `fetch` above and would use the network.
  const { _client } = client as unknown as { _client: { get: { sse: OpenEventStream } } };
  _client.get.sse = streamFrom(terms);
  return client;
}

type CallMethod = (path: readonly string[], args: readonly unknown[]) => Promise<unknown>;

/**
 * An object with methods on its prototype, like the classes of the SDK, so that it can be spread, cloned and printed.
 */
function partOf(
  path: readonly string[],
  methods: readonly string[],
  call: CallMethod,
): Record<string, unknown> {
  const home: Record<string, unknown> = {};
  for (const name of methods)
    Object.defineProperty(home, name, {
      value: (...args: unknown[]) => call([...path, name], args),
      writable: true,
      configurable: true,
    });
  return Object.create(home) as Record<string, unknown>;
}
