/** What a `direct` hook is handed besides the event: the host's services, and a signal made only when somebody looks. */
import type { Services } from '../canon/services.ts';

export class HostView {
  readonly #services: Services;
  #controller: AbortController | undefined;

  constructor(services: Services) {
    this.#services = services;
  }
  get signal(): AbortSignal {
    return (this.#controller ??= new AbortController()).signal;
  }
  get ui() {
    return this.#services.ui;
  }
  get session() {
    return this.#services.session;
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
  get exec() {
    return this.#services.exec;
  }
  get judge() {
    return this.#services.judge;
  }
  /** The hook's time is over, or the host gave up. */
  static end(view: HostView, reason: unknown): void {
    view.#controller?.abort(reason);
  }
}
