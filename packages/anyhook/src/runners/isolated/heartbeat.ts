/**
 * Ends a process that does not respond while something it offers is used. A command that spins has no other
 * deadline.
 */
interface HeartbeatTerms {
  readonly stallMs: number;
  /** Settles when the process has answered. */
  readonly ping: () => Promise<unknown>;
  readonly deaf: (detail: string) => void;
}

const EVERY_MS = 1_000;

export class Heartbeat {
  readonly #terms: HeartbeatTerms;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;
  #uses = 0;
  /** Counted in our own beats, because a busy host has not waited. */
  #missed = 0;

  constructor(terms: HeartbeatTerms) {
    this.#terms = terms;
    this.#everyMs = Math.min(EVERY_MS, terms.stallMs / 4);
  }

  get uses(): number {
    return this.#uses;
  }
  begin(): void {
    if (this.#uses++ > 0) return;
    this.#missed = 0;
    this.#timer = setInterval(() => this.#beat(), this.#everyMs);
    this.#timer.unref(); // the pending call keeps the program alive
  }
  end(): void {
    if (--this.#uses === 0) clearInterval(this.#timer);
  }

  #beat(): void {
    const { stallMs, ping, deaf } = this.#terms;
    if (this.#missed++ * this.#everyMs >= stallMs)
      return deaf(`its process was killed because it did not respond for ${stallMs} ms`);
    const answered = () => void (this.#missed = 0);
    ping().then(answered, answered); // a process that has ended counts as responsive
  }
}
