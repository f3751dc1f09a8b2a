import type { McpServer } from '../../events/hook.ts';
import { StreamableHTTPClientTransport } from './packed-sdk.ts';

export type Address = Extract<McpServer, { readonly url: string }>;

/**
 * The SDK's streamable HTTP, without the stream it would hold open for what the server says unasked: nobody listens to
 * that here, and it would keep the program alive. A stream that broke is still taken up again.
 */
export const addressTransport = ({ url, headers }: Address): StreamableHTTPClientTransport =>
  new StreamableHTTPClientTransport(new URL(url), {
    ...(headers && { requestInit: { headers: { ...headers } } }),
    fetch: async (target, init) => {
      const isListening = init?.method === 'GET' && !new Headers(init.headers).has('last-event-id');
      return isListening ? new Response(null, { status: 405 }) : fetch(target, init);
    },
  });
