/** What a `direct` hook is handed besides the event: the host's services, and a signal made only when somebody looks. */
import type { Services } from '../canon/services.ts';

export class HostView {
  readonly #services: Services;
  #controller: AbortController | undefined;
  #ended: DOMException | undefined;

  constructor(services: Services) {
    this.#services = services;
  }
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended !== undefined) this.#controller.abort(this.#ended);
    return this.#controller.signal;
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
  static end(view: HostView, why: 'timed-out' | 'aborted'): void {
    view.#ended =
      why === 'timed-out'
        ? new DOMException('the hook ran out of time', 'TimeoutError')
        : new DOMException('the host gave up', 'AbortError');
    view.#controller?.abort(view.#ended);
  }
}
