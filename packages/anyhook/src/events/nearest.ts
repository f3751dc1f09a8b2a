/** An event the host lacks is fired at the nearest ones it has, or a guard written for it guards nothing there. */
import type { Fields } from './effects.ts';
import type { Ids } from './event.ts';
import type { EventName } from './events.ts';
import { promptAsMessages, resultAsMessages } from './nearest-messages.ts';

export interface Nearest {
  readonly at: EventName;
  /** The missing event's payload, seen from the one that fires; null: not this time. */
  readonly as: (payload: Fields, ids: Ids) => Fields | null;
  /**
   * Where the two have different fields: what hooks made of the missing event's payload, as fields of the one that fires.
   * What is not in them cannot be done there, and is on the record as ignored.
   */
  readonly back?: (wanted: Fields, payload: Fields) => Fields;
}

const WRITERS = new Set(['write', 'edit', 'multi-edit']);

export const NEAREST: { readonly [E in EventName]?: readonly Nearest[] } = {
  'tool.permission': [{ at: 'tool.before', as: (payload) => payload }],
  'file.edited': [
    {
      at: 'tool.after',
      as: ({ tool, input, isError }) => {
        const file = (input as Fields | undefined)?.['path'];
        return WRITERS.has(String(tool)) && typeof file === 'string' && isError !== true ? { file } : null;
      },
    },
  ],
  'agent.before': [{ at: 'prompt.submit', as: ({ prompt }) => ({ prompt }) }],
  'agent.idle': [{ at: 'agent.end', as: () => ({}) }],
  // It comes too late to keep the agent working: what a hook wants of it is said to be lost.
  'turn.stop': [{ at: 'agent.idle', as: () => ({ active: false }) }],
  // All that a model reads and has not written itself comes in by one of these, one message at a time.
  'model.context': [
    { at: 'prompt.submit', ...promptAsMessages },
    { at: 'tool.after', ...resultAsMessages('content') },
    { at: 'tool.failed', ...resultAsMessages('error') },
  ],
};

/** How hooks of an event are asked by a host that lacks it, by the event that it really fires. */
export function standInsFor(
  missing: EventName,
  lacks: readonly EventName[],
): readonly { readonly fired: EventName; readonly nearest: Nearest }[] {
  return (NEAREST[missing] ?? []).flatMap((nearest) =>
    (lacks.includes(nearest.at) ? firedAt(nearest.at, lacks) : [nearest.at]).map((fired) => ({
      fired,
      nearest,
    })),
  );
}

/** Where hooks of an event are fired by a host that lacks it; empty: nothing there comes near. */
export const firedAt = (missing: EventName, lacks: readonly EventName[]): readonly EventName[] => [
  ...new Set(standInsFor(missing, lacks).map(({ fired }) => fired)),
];
