/**
 * Runs HTTP hooks: one POST, no redirects, one deadline. Does not interpret the reply: status 403 is just a
 * number here.
 */

import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { HookFailure, Limit, Reply, SendRequest } from '../../events/exchange.ts';
import type { WayOf } from '../../events/hook.ts';
import { took } from '../../events/took.mjs';
import { release, wait } from '../deadline.ts';
import { addressKind } from './address.ts';

/** Whether a hook may reach the private network or only public addresses. Loopback is always allowed. */
type Reach = 'private' | 'public';

type HttpTarget =
  | { readonly ok: true; readonly url: URL; readonly reach: Reach }
  | { readonly ok: false; readonly why: string };

export function httpTargetOf(text: string, reach: Reach): HttpTarget {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return no('not a valid URL');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return no(`only http and https are supported, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '') return no('a URL must not contain credentials');
  // The URL parser has normalised decimal, octal and hexadecimal forms, so this is a plain address or a name.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const why = isIP(host) === 0 ? '' : objection(host, reach);
  return why === '' ? { ok: true, url, reach } : no(why);
}

/** Returns why an address must not be reached, or an empty string. */
function objection(address: string, reach: Reach): string {
  const kind = addressKind(address);
  if (kind === 'forbidden') return `${address} is a link-local, metadata or reserved address`;
  if (kind === 'private' && reach === 'public') return `${address} is a private address`;
  return '';
}

const no = (why: string): HttpTarget => ({ ok: false, why });

/** Returns all addresses of a name. */
type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

const resolveBySystem: Resolve = (host) =>
  new Promise((done, failed) =>
    systemLookup(host, { all: true }, (error, addresses) => (error ? failed(error) : done(addresses))),
  );

class AddressRefused extends Error {}

/** A `lookup` for `http.request`. Rejects a name if any of its addresses is not allowed. */
const checkedLookup =
  (resolve: Resolve, reach: Reach): LookupFunction =>
  (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const why = addresses.map(({ address }) => objection(address, reach)).find(Boolean);
        const [first] = addresses;
        if (why !== undefined) callback(new AddressRefused(`${host}: ${why}`), '');
        else if (first === undefined) callback(new Error(`${host} has no address`), '');
        else if (options.all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };

/** Expands variables in header values. Variables that the hook does not list expand to nothing. */
export function headersOf(
  headers: Readonly<Record<string, string>>,
  allowed: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const value = (name: string) => (allowed.includes(name) ? (env[name] ?? '') : '');
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !OURS.has(name.toLowerCase()))
      .map(([name, text]) => [
        name,
        text.replaceAll(VARIABLE, (_, braced?: string, bare?: string) => value((braced ?? bare)!)),
      ]),
  );
}

const VARIABLE = /\$\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)/g;

/** Headers that only the runner sets, because they control framing and routing. */
const OURS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'expect',
  'te',
  'trailer',
]);

export interface HttpOptions {
  /** Environment for variables in header values. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Returns all addresses of a name. Default: the system's lookup. */
  readonly resolve?: Resolve;
}
export interface HttpRunner {
  /** Never rejects or throws: every result is a reply. */
  run(way: WayOf<'http'>, request: SendRequest, limit: Limit, reach: Reach): Promise<Reply>;
}

export function openHttpRunner({
  env = process.env,
  resolve = resolveBySystem,
}: HttpOptions = {}): HttpRunner {
  return {
    async run(way, { body, headers = {} }, limit, reach) {
      if (limit.signal.aborted) return broken({ kind: 'aborted', detail: 'before it started' });
      const target = httpTargetOf(way.url, reach);
      if (!target.ok) return broken({ kind: 'not-started', detail: `${way.url}: ${target.why}` });
      try {
        const send = target.url.protocol === 'https:' ? tlsRequest : plainRequest;
        const outgoing = send(target.url, {
          method: 'POST',
          // No pool: a pooled connection was not checked for this hook.
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

/** Sends the request and reads the response. */
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

/** Node wraps several failed attempts (one per address) in one error without a message. */
function connectionError(error: NodeJS.ErrnoException): string {
  const inner = error instanceof AggregateError ? (error.errors as Error[]).map((one) => one.message) : [];
  return error.message || inner.join('; ') || (error.code ?? 'the connection failed');
}

const broken = (why: HookFailure): Reply => ({ kind: 'broken', why });

/** In bytes. Reading stops after it. */
const LARGEST_BODY = 1024 * 1024;

function readBody(response: IncomingMessage, finish: (reply: Reply) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const status = response.statusCode ?? 0;
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > LARGEST_BODY)
      finish(broken({ kind: 'unreadable', detail: `the response has more than ${LARGEST_BODY} bytes` }));
  });
  response.on('error', (error) =>
    finish(broken({ kind: 'failed', detail: `the response was interrupted: ${error.message}` })),
  );
  response.on('close', () => {
    if (!response.complete) return finish(broken({ kind: 'failed', detail: 'the response was interrupted' }));
    const type = response.headers['content-type'];
    const isSuccess = status >= 200 && status <= 299;
    if (isSuccess && size > 0 && !isJson(type))
      return finish(broken({ kind: 'unreadable', detail: `expected application/json, got ${type}` }));
    try {
      const body = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks, size));
      finish({ kind: 'answered', status, body });
    } catch {
      finish(broken({ kind: 'unreadable', detail: 'the response is not valid UTF-8' }));
    }
  });
}

/**
 * Small servers send no type, or text/plain. Any other type (a login page, a file) is not an answer of a
 * hook.
 */
const isJson = (type: string | undefined): boolean =>
  type === undefined || /^\s*(?:[\w.-]+\/(?:[\w.-]+\+)?json|text\/plain)\s*(?:;|$)/i.test(type);
