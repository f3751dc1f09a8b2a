/** Which events hosts should fire, as a record. Unknown names throw, so that they do not look like unwanted events. */

import { suggestion } from '../events/checker.ts';
import { EVENT_NAMES, type EventName } from '../events/events.ts';

type Wanted = Record<EventName, boolean>;

/** Which events are worth firing. `record` is one permanent object, because hosts keep a reference. */
export class WantedEvents {
  readonly record: Readonly<Wanted>;
  readonly #values: Wanted;
  #isStartWanted: boolean | undefined;
  #findStartWanted = (): boolean => false;

  constructor() {
    const start = Object.defineProperty(Object.create(TYPOS) as object, START, {
      get: () => (this.#isStartWanted ??= this.#findStartWanted()),
    });
    // Built through JSON: an object literal with this many keys becomes a slower hash table.
    const values: object = JSON.parse(
      JSON.stringify(Object.fromEntries(OTHERS.map((name) => [name, false]))),
    );
    this.record = this.#values = Object.setPrototypeOf(values, start) as Wanted;
  }
  /** `isStartWanted` runs only when a host reads it, because computing the notices for the start is slow. */
  update(isWanted: (name: EventName) => boolean, isStartWanted: (isHeard: boolean) => boolean): void {
    this.#isStartWanted = undefined;
    this.#findStartWanted = () => isStartWanted(isWanted(START));
    for (const name of OTHERS) {
      const now = isWanted(name);
      if (this.#values[name] !== now) this.#values[name] = now;
    }
  }
}
const START: EventName = 'session.start';
const OTHERS = EVENT_NAMES.filter((name) => name !== START);

/** Probed on every value that is awaited, serialised or compared. */
const PROBED = new Set(['then', 'toJSON', 'asymmetricMatch', 'nodeType', 'tagName', '$$typeof', 'inspect']);

const TYPOS: object = new Proxy(Object.prototype, {
  get(every, name, wants) {
    if (typeof name === 'symbol' || name in every || PROBED.has(name)) return Reflect.get(every, name, wants);
    throw unknownEvent('hooks.wants', name);
  },
});

/** An unknown name must not look like an unwanted event, because then the call would run. */
export const unknownEvent = (where: string, name: unknown): TypeError =>
  new TypeError(
    name === undefined
      ? `${where}: the event has no name. Write ${where}({ name: 'tool.before', payload: { … } }).`
      : `${where}: unknown event ${typeof name === 'string' ? `'${name}'` : String(name)}. ${suggestion(String(name), EVENT_NAMES)}`,
  );
