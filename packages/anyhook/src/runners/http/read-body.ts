import type { IncomingMessage } from 'node:http';
import type { HookFailure, Reply } from '../../events/exchange.ts';

/** In bytes. Reading stops after it. */
export const LARGEST_BODY = 1024 * 1024;

export function readBody(response: IncomingMessage, finish: (reply: Reply) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const status = response.statusCode ?? 0;
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > LARGEST_BODY) finish(broken('unreadable', `the response has more than ${LARGEST_BODY} bytes`));
  });
  response.on('error', (error) => finish(broken('failed', `the response was interrupted: ${error.message}`)));
  response.on('close', () => {
    if (!response.complete) return finish(broken('failed', 'the response was interrupted'));
    const type = response.headers['content-type'];
    const isSuccess = status >= 200 && status <= 299;
    if (isSuccess && size > 0 && !isJson(type))
      return finish(broken('unreadable', `expected application/json, got ${type}`));
    try {
      const body = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks, size));
      finish({ kind: 'answered', status, body });
    } catch {
      finish(broken('unreadable', 'the response is not valid UTF-8'));
    }
  });
}

/**
 * Small servers send no type, or text/plain. Any other type (a login page, a file) is not an answer of a
 * hook.
 */
const isJson = (type: string | undefined): boolean =>
  type === undefined || /^\s*(?:[\w.-]+\/(?:[\w.-]+\+)?json|text\/plain)\s*(?:;|$)/i.test(type);

const broken = (kind: HookFailure['kind'], detail: string): Reply => ({
  kind: 'broken',
  why: { kind, detail },
});
