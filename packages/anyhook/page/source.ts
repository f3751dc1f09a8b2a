/** The page's data source: the server that served it, or in an export the document itself. */

import type { AnswerKind } from '../src/approvals/answer-kind.ts';
import {
  type ChainVerdict,
  type ExportedView,
  type HooksPart,
  type RefusalSheet,
  type SessionPart,
  type StreamMessage,
  TOKEN_HEADER,
  type ViewState,
} from '../src/view/wire.ts';

export type Heard = StreamMessage | { readonly kind: 'connection'; readonly state: Connection };
export type Connection = 'live' | 'lost' | 'no token' | 'exported';

export interface Source {
  readonly exported?: ExportedView;
  state(count: number): Promise<ViewState>;
  session(key: string, before?: number): Promise<SessionPart>;
  hooks(): Promise<HooksPart>;
  chain(key: string): Promise<ChainVerdict>;
  refusal(key: string, at: number, by: string): Promise<RefusalSheet>;
  /** Sends the user's answer. Rejects with the reason why it does not count. */
  answer(body: AnswerBody): Promise<void>;
  /** Calls back until closed. For a watched session it also sends new entries from an offset on. */
  follow(watched: () => Watched | undefined, hear: (message: Heard) => void): () => void;
}
export interface AnswerBody {
  readonly hash: string;
  readonly kind: AnswerKind;
  readonly note?: string;
  readonly pin?: string;
}
export interface Watched {
  readonly key: string;
  readonly from: number;
}

/** An error response. The page acts on its status. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const KEPT_AS = 'anyhook token';
const AGAIN_MS = 1000;

/** Reads the token from the fragment, keeps it for this tab and removes it from the address. */
export function tokenFromAddress(): string | undefined {
  const [, token, rest = ''] = /^#([\w-]{40,})(\/.*)?$/.exec(location.hash) ?? [];
  if (token !== undefined) {
    sessionStorage.setItem(KEPT_AS, token);
    history.replaceState(null, '', `#${rest === '' ? '/' : rest}`);
  }
  return sessionStorage.getItem(KEPT_AS) ?? undefined;
}

export function serverSource(token: string): Source {
  const headers = { [TOKEN_HEADER]: token };
  async function ask<T>(path: string, query: Record<string, string | number | undefined> = {}): Promise<T> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const words = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    const response = await fetch(`/api/${path}?${words}`, { headers });
    const body = (await response.json()) as T & { error?: string };
    if (!response.ok) throw new Refused(response.status, body.error ?? response.statusText);
    return body;
  }
  return {
    state: (count) => ask('state', { count }),
    session: (key, before) => ask('session', { key, before }),
    hooks: () => ask('hooks'),
    chain: (key) => ask('chain', { key }),
    refusal: (key, at, by) => ask('refusal', { key, at, by }),
    async answer(body) {
      const sent = { ...headers, 'content-type': 'application/json' };
      const response = await fetch('/api/answer', {
        method: 'POST',
        headers: sent,
        body: JSON.stringify(body),
      });
      if (response.ok) return;
      const { error } = (await response.json()) as { error?: string };
      throw new Refused(response.status, error ?? response.statusText);
    },
    follow: (watched, hear) => follow(headers, watched, hear),
  };
}

function follow(
  headers: Record<string, string>,
  watched: () => Watched | undefined,
  hear: (message: Heard) => void,
): () => void {
  const closing = new AbortController();
  void (async () => {
    while (!closing.signal.aborted) {
      try {
        const { key, from } = watched() ?? {};
        const query = key === undefined ? '' : `?${new URLSearchParams({ key, from: String(from) })}`;
        const response = await fetch(`/api/stream${query}`, { headers, signal: closing.signal });
        if (response.status === 401) return hear({ kind: 'connection', state: 'no token' });
        hear({ kind: 'connection', state: 'live' });
        for await (const line of linesIn(response)) hear(JSON.parse(line) as StreamMessage);
      } catch {
        // the connection was lost or closed: handled below
      }
      if (closing.signal.aborted) return;
      hear({ kind: 'connection', state: 'lost' });
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  })();
  return () => closing.abort();
}

async function* linesIn(response: Response): AsyncGenerator<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield line;
  }
}

export function exportedSource(exported: ExportedView): Source {
  const found = async <T>(value: T | undefined): Promise<T> => {
    if (value === undefined) throw new Refused(404, 'This is not part of the export.');
    return value;
  };
  return {
    exported,
    state: () => found(exported.state),
    session: (key) => found(exported.parts.find(({ session }) => session.key === key)),
    hooks: () => found(exported.hooks),
    chain: (key) => found(exported.chains[key]),
    refusal: (key, at, by) =>
      found(exported.refusals.find((one) => one.key === key && one.at === at && one.sheet.by === by)?.sheet),
    answer: () => Promise.reject(new Refused(404, 'An offline copy answers nothing.')),
    follow: (_, hear) => {
      hear({ kind: 'connection', state: 'exported' });
      return () => {};
    },
  };
}
