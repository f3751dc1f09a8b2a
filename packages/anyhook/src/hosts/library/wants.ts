/** Who listens to what, as a record: read in hot loops, so names that exist are plain properties of its own. */
import { byEvent } from '../../canon/by-event.ts';
import { suggestion } from '../../canon/checker.ts';
import { EVENT_NAMES, type EventName } from '../../canon/events.ts';
import { type Proceed, UNANSWERED } from '../../canon/proceed.ts';
import type { Engine } from '../../engine/engine.ts';

export type Listening = Record<EventName, boolean>;

export const listeningTo = (engine: Engine, also: (name: EventName) => boolean = () => false): Listening =>
  byEvent((name) => engine.wants(name) || also(name));

/** The same record for hosts. A name that is no event's is not found on it, and its prototype refuses it. */
export const wantsOf = (engine: Engine): Listening =>
  Object.setPrototypeOf(listeningTo(engine), SLIPS) as Listening;

/** Only where something is another than before: what was never written again is read like a constant. */
export function rewrite(now: Listening, ...all: readonly Listening[]): void {
  for (const old of all) for (const name of EVENT_NAMES) if (old[name] !== now[name]) old[name] = now[name];
}

/** What comes of an event that nobody listens to; `heard`: somebody does; `unknown`: that has yet to be asked for. */
export type Silences = Record<EventName, Proceed | 'heard' | 'unknown'>;

export const NONE_KNOWN: Silences = byEvent(() => 'unknown');

export const silencesOf = (listening: Listening): Silences =>
  byEvent((name) => (listening[name] ? 'heard' : UNANSWERED[name]));

/** Looked up on whatever is awaited, serialised or compared. */
const PROBED = new Set(['then', 'toJSON', 'asymmetricMatch', 'nodeType', 'tagName', '$$typeof', 'inspect']);

const SLIPS: object = new Proxy(Object.prototype, {
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
