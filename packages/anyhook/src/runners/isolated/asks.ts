/** What an isolated process asks of the host's services, while it waits for the answer. */
import type { Cell } from './cell.ts';
import type { Offers } from './offers.ts';
import type { FromChild } from './wire.mjs';

export class Asks {
  readonly #offers: () => Offers;
  readonly #open = new Map<number, AbortController>();

  constructor(offers: () => Offers) {
    this.#offers = offers;
  }

  async take(
    { id, service, args }: Extract<FromChild, { kind: 'ask' }>,
    cell: Cell | undefined,
  ): Promise<void> {
    const abort = new AbortController();
    this.#open.set(id, abort);
    const told = await this.#offers().ask(service, args, abort.signal);
    this.#open.delete(id);
    cell?.say({ kind: 'told', id, ...told });
  }
  drop(id: number): void {
    this.#open.get(id)?.abort();
  }
  /** The process is gone: nobody waits any more. */
  dropAll(): void {
    for (const abort of this.#open.values()) abort.abort();
    this.#open.clear();
  }
}
