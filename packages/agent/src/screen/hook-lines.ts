/** Shows one line per running hook with its name and elapsed time. */

import { safe } from 'anyhook/views';
import type { Happening } from '../front/happening.ts';
import { type Component, truncateToWidth } from './packed-pi-tui.ts';
import type { Theme } from './theme.ts';

type HookStarted = Extract<Happening, { kind: 'hook' }>;

/** Hooks that finish sooner show no line. */
const UNSEEN_MS = 100;

export class HookLines implements Component {
  readonly #running = new Map<string, { readonly started: HookStarted; readonly since: number }>();
  readonly #theme: Theme;
  readonly #now: () => number;

  constructor(theme: Theme, now: () => number = Date.now) {
    this.#theme = theme;
    this.#now = now;
  }
  get isWaiting(): boolean {
    return this.#running.size > 0;
  }
  start(started: HookStarted): void {
    this.#running.set(started.id, { started, since: this.#now() });
  }
  end(id: string): void {
    this.#running.delete(id);
  }
  clear(): void {
    this.#running.clear();
  }
  invalidate(): void {}

  render(width: number): string[] {
    return [...this.#running.values()].flatMap(({ started, since }) => {
      const ms = this.#now() - since;
      if (ms < UNSEEN_MS) return [];
      const { status, name, on } = started;
      const what = safe(status ?? `hook ${name}`).replaceAll('\n', ' ');
      const who = status === undefined ? '' : `${safe(name).replaceAll('\n', ' ')} · `;
      const line = ` ${this.#theme.fg('warning', '◌')} ${what} ${this.#theme.fg('dim', `${(ms / 1000).toFixed(1)} s · ${who}${on}`)}`;
      return [truncateToWidth(line, width)];
    });
  }
}
