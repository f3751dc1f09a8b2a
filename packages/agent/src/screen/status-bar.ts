/** The bottom lines of the screen: status texts of hooks, then folder, model and session. */

import { statusLine } from 'anyhook/oh-my-pi';
import { safe } from 'anyhook/views';
import { type Component, truncateToWidth, visibleWidth } from './packed-pi-tui.ts';
import type { Theme } from './theme.ts';

export class StatusBar implements Component {
  readonly #theme: Theme;
  readonly #texts = new Map<string, string>();
  #left = '';
  #right = '';

  constructor(theme: Theme) {
    this.#theme = theme;
  }
  status(key: string, text: string | undefined): void {
    if (text === undefined) this.#texts.delete(key);
    else this.#texts.set(key, text);
  }
  left(text: string): void {
    this.#left = safe(text);
  }
  right(text: string): void {
    this.#right = safe(text);
  }
  invalidate(): void {}

  render(width: number): string[] {
    const hooks = statusLine(this.#texts, Math.max(0, width - 1));
    const room = width - visibleWidth(this.#right) - 3;
    const left = truncateToWidth(this.#left, Math.max(0, room));
    const gap = ' '.repeat(Math.max(1, width - 2 - visibleWidth(left) - visibleWidth(this.#right)));
    const foot = room < 4 ? truncateToWidth(` ${this.#left}`, width) : ` ${left}${gap}${this.#right}`;
    return [
      ...(hooks === '' ? [] : [` ${this.#theme.fg('muted', hooks)}`]),
      truncateToWidth(this.#theme.fg('dim', foot), width),
    ];
  }
}
