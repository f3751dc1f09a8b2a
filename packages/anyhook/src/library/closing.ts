/** Closes everything that one `createHooks` call has opened. */

import type { Means } from './means.ts';
import type { Opening } from './opening.ts';
import type { makeStrayErrors } from './stray-errors.ts';

export class Closing {
  readonly #means: Means;
  readonly #opening: Opening;
  readonly #strayErrors: ReturnType<typeof makeStrayErrors>;

  constructor(means: Means, opening: Opening, strayErrors: ReturnType<typeof makeStrayErrors>) {
    this.#means = means;
    this.#opening = opening;
    this.#strayErrors = strayErrors;
  }
  /** Modules and journal close first, because they may still use the runners. Shared helper processes keep running. */
  async close(): Promise<void> {
    const { depthLimit, commands, mcp } = this.#means;
    this.#strayErrors.close();
    await this.#opening.close();
    depthLimit.close();
    await Promise.all([commands.close(), mcp.close()]);
  }
}
