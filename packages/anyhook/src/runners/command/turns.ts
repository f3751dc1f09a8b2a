import type { AbortWatch } from './job.ts';

interface Turn {
  readonly begin: () => void;
  readonly keeps: boolean;
}
export interface TurnHow {
  /** Leaves the queue when aborted; what has begun looks after itself. */
  readonly signal: AbortWatch;
  /** Must not be lost in the queue when everything ends. */
  readonly keeps: boolean;
}

/** At most so many at once; the others wait in the order they came. A free place is taken before `take` returns. */
export class Turns {
  readonly #atOnce: number;
  readonly #waiting = new Set<Turn>();
  #taken = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** `undefined`: it left the queue before its turn came. */
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

  /** Begins all that must not be lost, whatever the limit. */
  beginKept(): void {
    for (const turn of this.#waiting) if (turn.keeps) turn.begin();
  }

  #give(): void {
    this.#taken--;
    const [next] = this.#waiting;
    if (this.#taken < this.#atOnce) next?.begin();
  }
}
