/** One client of `anyhook serve`: its sessions and its requests. Knows nothing of how messages travel. */

import { version } from '../console/version.ts';
import {
  failureResponse,
  idOf,
  type Method,
  type Notification,
  type Params,
  readParams,
  readRequest,
  type ServeRequest,
  type RequestId,
  type Response,
  SERVE_PROTOCOL,
  ServeError,
} from './messages.ts';
import { ServedSession } from './served-session.ts';

const MAX_SESSIONS = 1000;

export interface ConnectionOptions {
  /** Missing where nothing can be sent without a request. */
  readonly notify?: (notification: Notification) => void;
  readonly log: (text: string) => void;
}

export class ServeConnection {
  readonly #options: ConnectionOptions;
  readonly #sessions = new Map<string, ServedSession>();
  readonly #running = new Map<RequestId, AbortController>();
  #opened = 0;
  #opening = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Never rejects. Undefined for a notification. `signal` aborts the request, as `cancel` does. */
  async answer(message: unknown, signal?: AbortSignal): Promise<Response | undefined> {
    const abort = new AbortController();
    const stop = (): void => abort.abort();
    signal?.addEventListener('abort', stop, { once: true });
    let request: ServeRequest | undefined;
    try {
      request = readRequest(message);
      const { id } = request;
      if (id !== undefined) this.#running.set(id, abort);
      const result = await this.#call(request, abort.signal);
      return id === undefined ? undefined : { jsonrpc: '2.0', id, result };
    } catch (error) {
      const isNotification = request !== undefined && request.id === undefined;
      return isNotification ? undefined : failureResponse(idOf(message), error);
    } finally {
      signal?.removeEventListener('abort', stop);
      if (request?.id !== undefined && this.#running.get(request.id) === abort)
        this.#running.delete(request.id);
    }
  }

  /** Aborts all running requests. For a client that has disconnected. */
  abort(): void {
    for (const running of this.#running.values()) running.abort();
  }
  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map((session) => session.close()));
  }

  #call({ method, params }: ServeRequest, signal: AbortSignal): unknown {
    const given = <M extends Method>(name: M): Params<M> => readParams(name, params);
    switch (method) {
      case 'open':
        return this.#open(given('open'));
      case 'fire':
        return this.#session(given('fire')).fire(given('fire'), signal);
      case 'approvals':
        return this.#session(given('approvals')).approvals();
      case 'reload':
        return this.#session(given('reload')).reload();
      case 'close':
        return this.#close(given('close'));
      case 'cancel':
        return this.#cancel(given('cancel'));
    }
  }

  async #open(params: Params<'open'>): Promise<object> {
    if (params.protocol !== SERVE_PROTOCOL)
      throw new ServeError(
        'unsupported-protocol',
        `open: anyhook ${version()} speaks version ${SERVE_PROTOCOL} of this protocol, not ${params.protocol}.`,
      );
    if (this.#sessions.size + this.#opening >= MAX_SESSIONS)
      throw new ServeError('too-many', `open: ${MAX_SESSIONS} sessions are open. Close some first.`);
    this.#opening += 1;
    try {
      const session = new ServedSession(params, this.#options.log);
      const description = await session.describe();
      const id = `s${++this.#opened}`;
      this.#sessions.set(id, session);
      if (params.watch !== false) this.#watch(id, session, description);
      return { protocol: SERVE_PROTOCOL, version: version(), session: id, ...description };
    } finally {
      this.#opening -= 1;
    }
  }
  #watch(id: string, session: ServedSession, description: object): void {
    const { notify } = this.#options;
    if (notify === undefined) return;
    session.watch(description, (found) =>
      notify({ jsonrpc: '2.0', method: 'changed', params: { session: id, ...found } }),
    );
  }
  async #close({ session }: Params<'close'>): Promise<object> {
    const found = this.#session({ session });
    this.#sessions.delete(session);
    await found.close();
    return {};
  }
  #cancel({ id }: Params<'cancel'>): object {
    this.#running.get(id)?.abort();
    return {};
  }
  #session({ session }: { readonly session: string }): ServedSession {
    const found = this.#sessions.get(session);
    if (found !== undefined) return found;
    throw new ServeError(
      'unknown-session',
      `No session ${JSON.stringify(session)} is open. Send open first.`,
    );
  }
}
