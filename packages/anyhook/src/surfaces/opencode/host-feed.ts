import type { Fields } from '../../canon/effects.ts';

/** Less than a process of its own is given for its end. */
const SOON_MS = 1_500;

/** What the host has told a plugin so far: for plugins that ask their client in place of listening. */
export class HostFeed {
  /** As the `config` hook was given them. */
  config: Fields | undefined;
  /** Somebody asked for the stream of events. */
  isFollowed = false;
  readonly #underWay = new Set<Promise<void>>();
  readonly #listeners = new Set<(event: Fields) => void>();

  /** Work that nobody waits for, until the plugins are disposed of. */
  hold<T>(work: T): T {
    const done = Promise.resolve(work).then(
      () => {},
      () => {}, // whoever called it hears that
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
