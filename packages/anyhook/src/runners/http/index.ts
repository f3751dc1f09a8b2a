/** Hooks behind a URL: one POST, no redirects, one deadline. A runner knows no meaning: 403 is a number here. */
import { type IncomingMessage, type ClientRequest, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { HookFailure, Limit, Reply, SendRequest } from '../../events/exchange.ts';
import type { WayOf } from '../../events/hook.ts';
import { took } from '../../events/took.mjs';
import { release, wait } from '../deadline.ts';
import { checkedLookup, type Resolve, resolveBySystem } from './checked-lookup.ts';
import { headersOf } from './headers.ts';
import { readBody } from './read-body.ts';
import { type Reach, httpTargetOf } from './target.ts';

export interface HttpOptions {
  /** Where header values find the variables they may name. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** All addresses of a name; the system's own way unless told otherwise. */
  readonly resolve?: Resolve;
}
export interface HttpRunner {
  /** Never rejects and never throws: whatever happens is a reply. */
  run(way: WayOf<'http'>, request: SendRequest, limit: Limit, reach: Reach): Promise<Reply>;
}

export function openHttpRunner({
  env = process.env,
  resolve = resolveBySystem,
}: HttpOptions = {}): HttpRunner {
  return {
    async run(way, { body, headers = {} }, limit, reach) {
      if (limit.signal.aborted) return broken({ kind: 'aborted', detail: 'before it began' });
      const target = httpTargetOf(way.url, reach);
      if (!target.ok) return broken({ kind: 'not-started', detail: `${way.url}: ${target.why}` });
      try {
        const send = target.url.protocol === 'https:' ? tlsRequest : plainRequest;
        const outgoing = send(target.url, {
          method: 'POST',
          // No pool: a connection that somebody else opened was not checked for this hook.
          agent: false,
          lookup: checkedLookup(resolve, reach),
          headers: {
            accept: 'application/json',
            'accept-encoding': 'identity',
            ...headers,
            ...headersOf(way.headers ?? {}, way.env ?? [], env),
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          },
        });
        return await answer(outgoing, body, limit);
      } catch (error) {
        return broken({ kind: 'not-started', detail: (error as Error).message });
      }
    },
  };
}

/** From the first byte sent to the last one read. */
function answer(outgoing: ClientRequest, body: string, limit: Limit): Promise<Reply> {
  return new Promise((resolve) => {
    let isOver = false;
    let incoming: IncomingMessage | undefined;
    const finish = (reply: Reply) => {
      if (isOver) return;
      isOver = true;
      release(waiting);
      outgoing.destroy();
      incoming?.destroy();
      resolve(reply);
    };
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      finish(
        broken({ kind: incoming === undefined ? 'not-started' : 'failed', detail: connectionError(error) }),
      ),
    );
    outgoing.on('response', (response) => {
      incoming = response;
      readBody(response, finish);
    });
    const waiting = wait(limit, (kind) =>
      finish(broken(kind === 'timed-out' ? { kind, detail: `after ${took(limit.timeoutMs)}` } : { kind })),
    );
    if (!isOver) outgoing.end(body);
  });
}

/** Node puts several failed attempts (one per address) into one error without a message. */
function connectionError(error: NodeJS.ErrnoException): string {
  const inner = error instanceof AggregateError ? (error.errors as Error[]).map((one) => one.message) : [];
  return error.message || inner.join('; ') || (error.code ?? 'the connection failed');
}

const broken = (why: HookFailure): Reply => ({ kind: 'broken', why });
