/** What a `direct` hook is handed besides the event: the host's services, and a signal made only when somebody looks. */
import type { Services } from '../canon/services.ts';

/** Every service has a getter here: the compiler asks for it. */
export class HostView implements Readonly<Record<keyof Services, unknown>> {
  readonly #services: Services;
  #call: { readonly signal: AbortSignal } | AbortController | undefined;
  /** For its shape, as with `OutcomeWith.kept`. */
  static readonly kept = new HostView({});

  /** `call`: has a signal for this hook already, which is handed on in place of a new one. */
  constructor(services: Services, call?: { readonly signal: AbortSignal }) {
    this.#services = services;
    this.#call = call;
  }
  get signal(): AbortSignal {
    return (this.#call ??= new AbortController()).signal;
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
  /** The hook's time is over, or the host gave up. */
  static end(view: HostView, why: 'timed-out' | 'aborted'): void {
    const own = (view.#call ??= new AbortController());
    if (!(own instanceof AbortController)) return;
    own.abort(
      why === 'timed-out'
        ? new DOMException('the hook ran out of time', 'TimeoutError')
        : new DOMException('the host gave up', 'AbortError'),
    );
  }
}
