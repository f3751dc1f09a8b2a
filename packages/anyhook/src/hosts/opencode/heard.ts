import type { Fields } from '../../canon/effects.ts';

/** What the host has told a plugin so far: for plugins that ask their client in place of listening. */
export class Heard {
  /** As the `config` hook was given them. */
  config: Fields | undefined;
  /** Somebody asked for the stream of events. */
  isFollowed = false;
  readonly #listeners = new Set<(event: Fields) => void>();

  tell(event: Fields): void {
    for (const listener of this.#listeners) listener(event);
  }
  follow(listener: (event: Fields) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
