/** The host's services as a `direct` hook sees them, with an abort signal that is created on first use. */

import type { Services } from '../events/services.ts';

/** One getter per service; the type makes the compiler check that none is missing. */
export class HostView implements Readonly<Record<keyof Services, unknown>> {
  readonly #services: Services;
  readonly #call: { readonly signal: AbortSignal };

  /** `call` creates the hook's signal on first use. */
  constructor(services: Services, call: { readonly signal: AbortSignal }) {
    this.#services = services;
    this.#call = call;
  }
  get signal(): AbortSignal {
    return this.#call.signal;
  }
  get ui() {
    return this.#services.ui;
  }
  get session() {
    return this.#services.session;
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
