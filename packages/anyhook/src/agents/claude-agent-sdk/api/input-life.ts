/**
 * Decides when the CLI's input may be closed. If the CLI may send requests (hooks, permissions), the input stays open
 * until all work is done, including background tasks. A CLI with closed input silently stops calling callbacks.
 */

import type { LooseFields } from './frame.ts';

/** How long after the end of background work no new turn may start. */
const QUIET_MS = 3000;

export class InputLife {
  readonly #isAsked: boolean;
  readonly #end: () => void;
  #sent = 0;
  #results = 0;
  #tasks = 0;
  #isDone = false;
  #quiet: NodeJS.Timeout | undefined;
  #isOver = false;
  #waiting: (() => void)[] = [];

  constructor(isAsked: boolean, end: () => void) {
    this.#isAsked = isAsked;
    this.#end = end;
  }

  sent(): void {
    this.#sent++;
  }
  /** No more prompts will follow. */
  done(): void {
    this.#isDone = true;
    if (!this.#isAsked || (this.#results >= this.#sent && this.#tasks === 0)) this.#end();
  }
  /** Resolves when every prompt so far has its result, or none will come. */
  answered(): Promise<void> {
    if (this.#isOver || this.#results >= this.#sent) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
  saw(message: LooseFields): void {
    clearTimeout(this.#quiet);
    const { type, subtype, tasks } = message;
    if (type === 'result') this.#results++;
    if (this.#results >= this.#sent) this.#wake();
    if (subtype === 'background_tasks_changed') this.#tasks = Array.isArray(tasks) ? tasks.length : 0;
    if (!this.#isDone || this.#results < this.#sent || this.#tasks > 0) return;
    if (type === 'result') this.#end();
    else this.#quiet = setTimeout(this.#end, QUIET_MS);
  }
  over(): void {
    this.#isOver = true;
    clearTimeout(this.#quiet);
    this.#wake();
  }
  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
