import { EVENT_NAMES, type EventName } from '../../canon/events.ts';
import type { Engine } from '../../engine/engine.ts';

/** Made by way of JSON: an object built key by key from so many names becomes a hash table, and slower to read. */
export const wantsOf = (engine: Engine): Record<EventName, boolean> =>
  JSON.parse(JSON.stringify(Object.fromEntries(EVENT_NAMES.map((name) => [name, engine.wants(name)]))));
