/** Which events hosts should fire, as a record: an unknown name throws instead of looking like an event that nobody wants. */
import { byEvent } from '../../canon/by-event.ts';
import { suggestion } from '../../canon/checker.ts';
import { EVENT_NAMES, type EventName } from '../../canon/events.ts';

type Wanted = Record<EventName, boolean>;

/** Which events are worth firing. `record` is one object for good: hosts keep it. */
export class WantedEvents {
  readonly record: Readonly<Wanted>;
  readonly #values: Wanted;
  #isStartWanted = (): boolean => false;

  constructor() {
    this.#values = byEvent(() => false);
    Object.setPrototypeOf(this.#values, TYPOS);
    let isStartWanted: boolean | undefined;
    const forget = () => (isStartWanted = undefined);
    Object.defineProperty(this.#values, START, {
      enumerable: true,
      get: () => (isStartWanted ??= this.#isStartWanted()),
      set: forget,
    });
    this.record = this.#values;
  }
  /** `isStartWanted`: looked up when a host asks for it, because finding what to tell the user at the start takes long. */
  update(isWanted: (name: EventName) => boolean, isStartWanted: (isHeard: boolean) => boolean): void {
    this.#isStartWanted = () => isStartWanted(isWanted(START));
    for (const name of EVENT_NAMES) {
      const now = name === START || isWanted(name);
      if (name === START || this.#values[name] !== now) this.#values[name] = now;
    }
  }
}
const START: EventName = 'session.start';

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
      : `${where}: no event is called ${typeof name === 'string' ? `'${name}'` : String(name)}. ${suggestion(String(name), EVENT_NAMES)}`,
  );
