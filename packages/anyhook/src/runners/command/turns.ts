import type { AbortWatch } from './job.ts';

interface Turn {
  readonly begin: () => void;
  readonly keeps: boolean;
}
export interface TurnHow {
  /** An abort removes it from the queue. A run that has started handles the signal itself. */
  readonly signal: AbortWatch;
  /** Must not be lost in the queue when the program ends. */
  readonly keeps: boolean;
}

/**
 * Limits the number of concurrent runs; the others wait in order. A free slot is taken before `take` returns.
 */
export class Turns {
  readonly #atOnce: number;
  readonly #waiting = new Set<Turn>();
  #taken = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Returns undefined if it left the queue before it started. */
  take<T>(work: () => Promise<T>, { signal, keeps }: TurnHow): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        this.#taken++;
        this.#waiting.delete(turn);
        signal.removeEventListener('abort', leave);
        work()
          .finally(() => this.#give())
          .then(resolve, reject);
      };
      const leave = () => {
        this.#waiting.delete(turn);
        resolve(undefined);
      };
      const turn: Turn = { begin, keeps };
      if (this.#taken < this.#atOnce) return begin();
      this.#waiting.add(turn);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Starts all waiting work that must not be lost, regardless of the limit. */
  beginKept(): void {
    for (const turn of this.#waiting) if (turn.keeps) turn.begin();
  }

  #give(): void {
    this.#taken--;
    const [next] = this.#waiting;
    if (this.#taken < this.#atOnce) next?.begin();
  }
}
