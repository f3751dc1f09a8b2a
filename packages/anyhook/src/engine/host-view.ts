/** The host's services as a `direct` hook sees them, with an abort signal that is created on first use. */

import type { Services, Sessions } from '../events/services.ts';

/** One getter per service; the type makes the compiler check that none is missing. */
export class HostView implements Readonly<Record<keyof Services, unknown>> {
  readonly #services: Services;
  readonly #call: { readonly signal: AbortSignal };
  readonly #sessionId: string;

  /** `call` creates the hook's signal on first use. `sessionId`: the session of the event. */
  constructor(services: Services, call: { readonly signal: AbortSignal }, sessionId: string) {
    this.#services = services;
    this.#call = call;
    this.#sessionId = sessionId;
  }
  get signal(): AbortSignal {
    return this.#call.signal;
  }
  get ui() {
    return this.#services.ui;
  }
  get session() {
    const { session, history } = this.#services;
    return history === undefined ? session : withHistory(session, history, this.#sessionId);
  }
  get history() {
    return this.#services.history;
  }
  get sessions() {
    return this.#services.sessions;
  }
  get messages() {
    return this.#services.messages;
  }
  get commands() {
    return this.#services.commands;
  }
  get tools() {
    return this.#services.tools;
  }
  get log() {
    return this.#services.log;
  }
  get model() {
    return this.#services.model;
  }
  get permit() {
    return this.#services.permit;
  }
  get config() {
    return this.#services.config;
  }
  get exec() {
    return this.#services.exec;
  }
  get judge() {
    return this.#services.judge;
  }
}

const NO_SESSION: Sessions = { entries: () => [] };

/** The host's session with the history of one session. Methods keep their object, which may be an instance of a class. */
function withHistory(
  session: Sessions | undefined,
  history: NonNullable<Services['history']>,
  id: string,
): Sessions {
  const own: NonNullable<Sessions['history']> = (query) => history(id, query);
  return new Proxy(session ?? NO_SESSION, {
    get(target, name) {
      if (name === 'history') return own;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
