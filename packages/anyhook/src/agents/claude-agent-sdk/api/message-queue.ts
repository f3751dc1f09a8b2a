/** Queues messages until they are read. Hooks are answered meanwhile, so a slow reader only delays itself. */

type QueueResult<T> = IteratorResult<T, undefined>;
interface Taker<T> {
  readonly give: (taken: QueueResult<T>) => void;
  readonly fail: (error: unknown) => void;
}

export class MessageQueue<T> {
  readonly #kept: T[] = [];
  readonly #takers: Taker<T>[] = [];
  #end: { readonly error?: unknown } | undefined;
  readonly #onWait: (waiting: number) => void;

  /** Called with the number of waiting messages whenever it changes. */
  constructor(onWait: (waiting: number) => void) {
    this.#onWait = onWait;
  }

  push(message: T): void {
    if (this.#end !== undefined) return;
    const taker = this.#takers.shift();
    if (taker === undefined) this.#kept.push(message);
    else taker.give({ done: false, value: message });
    this.#onWait(this.#takers.length);
  }

  /** Queued messages are still delivered, followed by the end or the error. */
  end(how: { readonly error?: unknown } = {}): void {
    if (this.#end !== undefined) return;
    this.#end = how;
    for (const taker of this.#takers.splice(0)) this.#sayEnd(taker);
    this.#onWait(0);
  }

  next(): Promise<QueueResult<T>> {
    const message = this.#kept.shift();
    if (message !== undefined) return Promise.resolve({ done: false, value: message });
    return new Promise((give, fail) => {
      const taker = { give, fail };
      if (this.#end !== undefined) return this.#sayEnd(taker);
      this.#takers.push(taker);
      this.#onWait(this.#takers.length);
    });
  }

  /** Reports an error only once. */
  #sayEnd({ give, fail }: Taker<T>): void {
    if (this.#end !== undefined && 'error' in this.#end) {
      fail(this.#end.error);
      this.#end = {};
    } else give({ done: true, value: undefined });
  }
}
