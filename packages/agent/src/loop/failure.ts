/** Classifies a failed request: retry, compact, or give up. */

import { APICallError } from 'ai';

export type Failure =
  | { readonly kind: 'again'; readonly message: string; readonly afterMs?: number }
  | { readonly kind: 'overflow'; readonly message: string }
  | { readonly kind: 'final'; readonly message: string };

const TOO_LONG =
  /context (length|window)|too (long|many tokens)|maximum .*tokens|prompt is too long|context_length_exceeded/i;
const PASSING: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);
const LOST =
  /terminated|fetch failed|socket|ECONNRESET|ECONNREFUSED|EPIPE|other side closed|stream ended|network|UND_ERR/i;
const LONGEST_WAIT_MS = 60_000;

export function failureOf(error: unknown): Failure {
  const message = messageOf(error);
  if (APICallError.isInstance(error)) {
    const { statusCode = 0, responseBody = '' } = error;
    if (statusCode === 413 || (statusCode === 400 && TOO_LONG.test(`${message} ${responseBody}`)))
      return { kind: 'overflow', message };
    // The answer started with a success status but could not be read to its end.
    if (statusCode >= 200 && statusCode < 300)
      return {
        kind: 'again',
        message: `the connection to the model was lost (${messageOf(error.cause ?? error)})`,
      };
    if (PASSING.has(statusCode) || (statusCode === 0 && error.isRetryable))
      return { kind: 'again', message: providerMessage(error), ...waitOf(error) };
    return { kind: 'final', message: `${providerMessage(error)}${HINTS[statusCode] ?? ''}` };
  }
  if (
    error instanceof Error &&
    error.name !== 'RequestRefused' &&
    LOST.test(`${message} ${messageOf(error.cause)}`)
  )
    return { kind: 'again', message: `the connection to the model was lost (${message})` };
  return { kind: 'final', message };
}

const HINTS: Readonly<Record<number, string>> = {
  401: ' The key is wrong or missing: check the variable of this provider.',
  403: ' The key may not use this model.',
  404: ' There is no such model: check the name.',
};
const providerMessage = (error: APICallError): string =>
  `${error.statusCode === undefined ? '' : `${error.statusCode}: `}${error.message || 'the provider gave no reason'}.`;

function waitOf({ responseHeaders = {} }: APICallError): { afterMs?: number } {
  const ms = Number(
    responseHeaders['retry-after-ms'] ?? Number(responseHeaders['retry-after'] ?? NaN) * 1000,
  );
  return Number.isFinite(ms) && ms >= 0 ? { afterMs: Math.min(ms, LONGEST_WAIT_MS) } : {};
}

export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return typeof error === 'string' ? error : (JSON.stringify(error) ?? 'unknown');
}
