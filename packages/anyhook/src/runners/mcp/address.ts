import type { McpServer } from '../../events/hook.ts';
import { StreamableHTTPClientTransport } from './packed-sdk.ts';

export type Address = Extract<McpServer, { readonly url: string }>;

/**
 * The SDK's streamable HTTP transport without the stream for unsolicited server messages. Nothing here reads
 * them, and the stream would keep the program alive. An interrupted stream is still resumed.
 */
export const addressTransport = ({ url, headers }: Address): StreamableHTTPClientTransport =>
  new StreamableHTTPClientTransport(new URL(url), {
    ...(headers && { requestInit: { headers: { ...headers } } }),
    fetch: async (target, init) => {
      const isListening = init?.method === 'GET' && !new Headers(init.headers).has('last-event-id');
      return isListening ? new Response(null, { status: 405 }) : fetch(target, init);
    },
  });
