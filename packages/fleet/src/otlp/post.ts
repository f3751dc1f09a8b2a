/** One request to a collector: OTLP over HTTP, and what the answer means. Never rejects. */
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { gzipSync } from 'node:zlib';

export interface CollectorOptions {
  /** Its base, as `http://host:4318`: `/v1/logs` and the others are below it. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The authority that its certificate is checked against. */
  readonly ca?: string;
  readonly isGzipped: boolean;
  readonly timeoutMs: number;
}

export type PostAnswer =
  | { readonly kind: 'taken'; readonly body: Uint8Array }
  /** To be tried again: it is busy, broken, gone, or does not know us yet. */
  | { readonly kind: 'not-now'; readonly why: string; readonly waitMs?: number }
  | { readonly kind: 'too-large' }
  /** It will say the same again. */
  | { readonly kind: 'refused'; readonly why: string };

/** An answer is a few words. */
const MOST_BYTES = 64 * 1024;

export function post(
  { endpoint, headers, ca, isGzipped, timeoutMs }: CollectorOptions,
  path: string,
  message: Uint8Array,
  signal: AbortSignal,
): Promise<PostAnswer> {
  const url = new URL(`${endpoint.replace(/\/+$/, '')}${path}`);
  const body = isGzipped ? gzipSync(message) : message;
  return new Promise((resolve) => {
    const failed = (error: Error) => resolve({ kind: 'not-now', why: error.message || String(error) });
    try {
      const send = url.protocol === 'https:' ? tlsRequest : plainRequest;
      const request = send(url, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/x-protobuf',
          'content-length': body.length,
          ...(isGzipped && { 'content-encoding': 'gzip' }),
        },
        ...(ca !== undefined && { ca: readFileSync(ca) }),
        // From the first byte to the last: one that takes the connection and says nothing is as good as none.
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      request.on('error', (error) =>
        failed(
          error.name === 'TimeoutError' || error.name === 'AbortError'
            ? new Error(`no answer within ${timeoutMs / 1000} s`)
            : error,
        ),
      );
      request.on('response', (response) => {
        readAnswer(response).then((bytes) => resolve(answerOf(response, bytes)), failed);
      });
      request.end(body);
    } catch (error) {
      failed(error as Error);
    }
  });
}

async function readAnswer(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>)
    if ((size += part.length) <= MOST_BYTES) parts.push(part);
  return Buffer.concat(parts);
}

/** Those that OTLP calls retryable, and those that somebody mends: a key that has run out, a path that is not there yet. */
const RETRIED: ReadonlySet<number> = new Set([401, 403, 408, 429]);

function answerOf({ statusCode: status = 0, headers }: IncomingMessage, body: Uint8Array): PostAnswer {
  if (status >= 200 && status < 300) return { kind: 'taken', body };
  if (status === 413) return { kind: 'too-large' };
  const why = `it answers ${status}`;
  if (status < 500 && !RETRIED.has(status)) return { kind: 'refused', why };
  const waitMs = retryAfterMs(headers['retry-after']);
  return { kind: 'not-now', why, ...(waitMs !== undefined && { waitMs }) };
}

/** Longer than this nobody is obeyed. */
const LONGEST_WAIT_MS = 10 * 60_000;

/** Seconds, or a date. */
function retryAfterMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(LONGEST_WAIT_MS, Math.max(0, ms));
}
