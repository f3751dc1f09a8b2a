import type { Fields } from '../../../events/effects.ts';

/** Shorter than the time after which the process of an isolated plugin is ended. */
const SOON_MS = 1_500;

/** What the host has told a plugin so far: for plugins that ask their client in place of listening. */
export class HostFeed {
  /** As the `config` hook was given them. */
  config: Fields | undefined;
  /** Somebody asked for the stream of events. */
  isFollowed = false;
  readonly #underWay = new Set<Promise<void>>();
  readonly #listeners = new Set<(event: Fields) => void>();

  /** Work that no plugin awaits; `settled` waits for it when the plugins are disposed of. */
  hold<T>(work: T): T {
    const done = Promise.resolve(work).then(
      () => {},
      () => {}, // the caller of the work hears of its failure
    );
    this.#underWay.add(done);
    void done.then(() => this.#underWay.delete(done));
    return work;
  }
  /** A line that is still being written to a log is written to its end, if that is soon. */
  async settled(): Promise<void> {
    if (this.#underWay.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, SOON_MS)));
    await Promise.race([Promise.all(this.#underWay), late]);
    clearTimeout(timer);
  }

  tell(event: Fields): void {
    for (const listener of this.#listeners) listener(event);
  }
  follow(listener: (event: Fields) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
