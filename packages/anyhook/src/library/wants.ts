/** Which events hosts should fire, as a record: an unknown name throws instead of looking like an event that nobody wants. */
import { suggestion } from '../events/checker.ts';
import { EVENT_NAMES, type EventName } from '../events/events.ts';

type Wanted = Record<EventName, boolean>;

/** Which events are worth firing. `record` is one object for good: hosts keep it. */
export class WantedEvents {
  readonly record: Readonly<Wanted>;
  readonly #values: Wanted;
  #isStartWanted: boolean | undefined;
  #findStartWanted = (): boolean => false;

  constructor() {
    const start = Object.defineProperty(Object.create(TYPOS) as object, START, {
      get: () => (this.#isStartWanted ??= this.#findStartWanted()),
    });
    // By way of JSON, or an object of so many names is a hash table, and slower to read.
    const values: object = JSON.parse(
      JSON.stringify(Object.fromEntries(OTHERS.map((name) => [name, false]))),
    );
    this.record = this.#values = Object.setPrototypeOf(values, start) as Wanted;
  }
  /** `isStartWanted`: called when a host asks for it, because finding what to tell the user at the start takes long. */
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

/** Looked up on whatever is awaited, serialised or compared. */
const PROBED = new Set(['then', 'toJSON', 'asymmetricMatch', 'nodeType', 'tagName', '$$typeof', 'inspect']);

const TYPOS: object = new Proxy(Object.prototype, {
  get(every, name, wants) {
    if (typeof name === 'symbol' || name in every || PROBED.has(name)) return Reflect.get(every, name, wants);
    throw unknownEvent('hooks.wants', name);
  },
});

/** A name from nowhere would read as silence: nobody minds, so the call runs. */
export const unknownEvent = (where: string, name: unknown): TypeError =>
  new TypeError(
    name === undefined
      ? `${where}: the event has no name. Write ${where}({ name: 'tool.before', payload: { … } }).`
      : `${where}: unknown event ${typeof name === 'string' ? `'${name}'` : String(name)}. ${suggestion(String(name), EVENT_NAMES)}`,
  );
