/**
 * Maps events that a host lacks to the nearest events that it fires. Without this, a guard for a missing
 * event would never run.
 */

import type { Fields } from './effects.ts';
import type { Ids } from './event.ts';
import type { EventName } from './events.ts';
import { promptAsMessages, resultAsMessages } from './nearest-messages.ts';

export interface Nearest {
  readonly at: EventName;
  /**
   * Converts the payload of the fired event to that of the missing one. Returns null if it does not apply.
   */
  readonly toMissing: (payload: Fields, ids: Ids) => Fields | null;
  /**
   * Converts a hook's changes to fields of the fired event, if the two events have different fields. Changes
   * without such a field are recorded as ignored.
   */
  readonly toFired?: (wanted: Fields, payload: Fields) => Fields;
}

const WRITERS = new Set(['write', 'edit', 'multi-edit']);

export const NEAREST: { readonly [E in EventName]?: readonly Nearest[] } = {
  'tool.permission': [{ at: 'tool.before', toMissing: (payload) => payload }],
  'file.edited': [
    {
      at: 'tool.after',
      toMissing: ({ tool, input, isError }) => {
        const file = (input as Fields | undefined)?.['path'];
        return WRITERS.has(String(tool)) && typeof file === 'string' && isError !== true ? { file } : null;
      },
    },
  ],
  'agent.before': [{ at: 'prompt.submit', toMissing: ({ prompt }) => ({ prompt }) }],
  'agent.idle': [{ at: 'agent.end', toMissing: () => ({}) }],
  // Too late to keep the agent working: a hook's effects are reported as lost.
  'turn.stop': [{ at: 'agent.idle', toMissing: () => ({ active: false }) }],
  // Everything that a model reads and did not write itself arrives through one of these events, one message
  // at a time.
  'model.context': [
    { at: 'prompt.submit', ...promptAsMessages },
    { at: 'tool.after', ...resultAsMessages('content') },
    { at: 'tool.failed', ...resultAsMessages('error') },
  ],
};

/** Returns the events that a host fires in place of a missing event. */
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

/** Returns the names of the events fired in place of a missing event, or an empty list if there is none. */
export const firedAt = (missing: EventName, lacks: readonly EventName[]): readonly EventName[] => [
  ...new Set(standInsFor(missing, lacks).map(({ fired }) => fired)),
];
