import type { Fields } from '../../../events/effects.ts';

/** Shorter than the time after which the process of an isolated plugin is killed. */
const SOON_MS = 1_500;

/** What the host has reported to a plugin so far, for plugins that query their client instead of listening. */
export class HostFeed {
  /** As passed to the `config` hook. */
  config: Fields | undefined;
  /** Whether a plugin has opened the event stream. */
  isFollowed = false;
  readonly #underWay = new Set<Promise<void>>();
  readonly #listeners = new Set<(event: Fields) => void>();

  /** Registers work that no plugin awaits. `settled` waits for it when the plugins are disposed. */
  hold<T>(work: T): T {
    const done = Promise.resolve(work).then(
      () => {},
      () => {}, // the caller of the work handles its failure
    );
    this.#underWay.add(done);
    void done.then(() => this.#underWay.delete(done));
    return work;
  }
  /** Lets a log line that is being written finish, if that takes a short time. */
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
