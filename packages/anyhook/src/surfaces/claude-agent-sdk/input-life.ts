/**
 * When the CLI's input may be closed. With hooks it stays open until the work is done, background tasks included: a CLI
 * whose input is closed calls no callback any more, and says nothing about it.
 */
import type { LooseFields } from './frame.ts';

/** Background work is over and no new turn has begun for this long. */
const QUIET_MS = 3000;

export class InputLife {
  readonly #hasHooks: boolean;
  readonly #end: () => void;
  #sent = 0;
  #results = 0;
  #tasks = 0;
  #isDone = false;
  #quiet: NodeJS.Timeout | undefined;

  constructor(hasHooks: boolean, end: () => void) {
    this.#hasHooks = hasHooks;
    this.#end = end;
  }

  sent(): void {
    this.#sent++;
  }
  /** Nothing more will be said to the agent. */
  done(): void {
    this.#isDone = true;
    if (!this.#hasHooks || (this.#results >= this.#sent && this.#tasks === 0)) this.#end();
  }
  saw(message: LooseFields): void {
    clearTimeout(this.#quiet);
    const { type, subtype, tasks } = message;
    if (type === 'result') this.#results++;
    if (subtype === 'background_tasks_changed') this.#tasks = Array.isArray(tasks) ? tasks.length : 0;
    if (!this.#isDone || this.#results === 0 || this.#tasks > 0) return;
    if (type === 'result') this.#end();
    else this.#quiet = setTimeout(this.#end, QUIET_MS);
  }
  over(): void {
    clearTimeout(this.#quiet);
  }
}
