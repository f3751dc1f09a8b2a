/** What a `direct` hook is handed besides the event: the host's services, and a signal made only when somebody looks. */
import type { Services } from '../events/services.ts';

/** Every service has a getter here: the compiler asks for it. */
export class HostView implements Readonly<Record<keyof Services, unknown>> {
  readonly #services: Services;
  readonly #call: { readonly signal: AbortSignal };

  /** `call` makes the signal of this hook when it is first asked for. */
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
