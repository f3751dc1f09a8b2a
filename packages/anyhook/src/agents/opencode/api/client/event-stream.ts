/** The host's events for `client.event.subscribe`. The SDK would open a connection, but there is no server. */

import type { Fields } from '../../../../events/effects.ts';
import { missing } from './route.ts';
import type { ClientTerms } from './terms.ts';

export type OpenEventStream = (options: { readonly url?: string; readonly signal?: AbortSignal }) => Promise<{
  readonly stream: AsyncGenerator<unknown>;
}>;

export const streamFrom =
  ({ subscribe, directory }: ClientTerms): OpenEventStream =>
  async ({ url = '', signal }) => {
    if (subscribe === undefined)
      throw missing('events', 'client.event.subscribe (the hook `event` needs nothing)');
    const isGlobal = url.includes('/global/');
    const stream = eventsOf(subscribe, signal);
    return { stream: isGlobal ? mapped(stream, (payload) => ({ directory, payload })) : stream };
  };

async function* eventsOf(
  subscribe: NonNullable<ClientTerms['subscribe']>,
  signal?: AbortSignal,
): AsyncGenerator<unknown> {
  const waiting: Fields[] = [];
  let wake = () => {};
  const stop = subscribe((event) => {
    waiting.push(event);
    wake();
  });
  const onAbort = () => wake();
  signal?.addEventListener('abort', onAbort);
  try {
    while (signal?.aborted !== true) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else await new Promise<void>((awake) => (wake = awake));
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    stop();
  }
}

async function* mapped(
  from: AsyncGenerator<unknown>,
  change: (event: unknown) => unknown,
): AsyncGenerator<unknown> {
  for await (const event of from) yield change(event);
}
