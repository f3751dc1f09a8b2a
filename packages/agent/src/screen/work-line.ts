/** The line above the prompt while the agent works: elapsed time, how to stop, and queued prompts. */

import { safe } from 'anyhook/views';
import type { Happening } from '../front/happening.ts';
import { type Component, truncateToWidth } from './packed-pi-tui.ts';
import type { Theme } from './theme.ts';

export class WorkLine implements Component {
  readonly #theme: Theme;
  readonly #now: () => number;
  #since: number | undefined;
  #queued: string[] = [];

  constructor(theme: Theme, now: () => number = Date.now) {
    this.#theme = theme;
    this.#now = now;
  }
  get isWorking(): boolean {
    return this.#since !== undefined;
  }
  hear(happening: Happening): void {
    if (happening.kind === 'queued') this.#queued.push(happening.text);
    if (happening.kind === 'prompt') this.#queued.shift();
    if (happening.kind === 'prompt' || happening.kind === 'turn') this.#since ??= this.#now();
    if (happening.kind === 'stopped') {
      this.#since = undefined;
      this.#queued = [];
    }
  }
  invalidate(): void {}

  render(width: number): string[] {
    if (this.#since === undefined) return [];
    const seconds = Math.floor((this.#now() - this.#since) / 1000);
    const lines = [
      ...this.#queued.map(
        (text) => `${this.#theme.fg('dim', '⧗ next:')} ${safe(text).replaceAll(/\s+/g, ' ')}`,
      ),
      this.#theme.fg('dim', `● working · ${seconds} s · esc stops`),
    ];
    return lines.map((line) => truncateToWidth(` ${line}`, width));
  }
}
