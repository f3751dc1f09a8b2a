/** Sends one OTLP request over HTTP and classifies the response. Never rejects. */

import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { gzipSync } from 'node:zlib';

export interface CollectorOptions {
  /** Base URL, such as `http://host:4318`; `/v1/logs` and others are appended. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The CA that signs the certificate of the collector. */
  readonly ca?: string;
  readonly isGzipped: boolean;
  readonly timeoutMs: number;
}

export type PostAnswer =
  | { readonly kind: 'taken'; readonly body: Uint8Array }
  /** Retry later: the collector is busy, failing, unreachable, or rejects our credentials. */
  | { readonly kind: 'not-now'; readonly why: string; readonly waitMs?: number }
  | { readonly kind: 'too-large' }
  /** Do not retry: the collector would give the same response. */
  | { readonly kind: 'refused'; readonly why: string };

/** Maximum size of a response. */
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
        // Covers the whole exchange, because a collector may accept the connection and never respond.
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

/** Codes that OTLP calls retryable, and codes that an administrator can fix, such as an expired key. */
const RETRIED: ReadonlySet<number> = new Set([401, 403, 408, 429]);

function answerOf({ statusCode: status = 0, headers }: IncomingMessage, body: Uint8Array): PostAnswer {
  if (status >= 200 && status < 300) return { kind: 'taken', body };
  if (status === 413) return { kind: 'too-large' };
  const why = `it answers ${status}`;
  if (status < 500 && !RETRIED.has(status)) return { kind: 'refused', why };
  const waitMs = retryAfterMs(headers['retry-after']);
  return { kind: 'not-now', why, ...(waitMs !== undefined && { waitMs }) };
}

/** Maximum delay that a collector may request. */
const LONGEST_WAIT_MS = 10 * 60_000;

/** Seconds, or a date. */
function retryAfterMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(LONGEST_WAIT_MS, Math.max(0, ms));
}
