/** An event the host lacks is fired at the nearest one it has, or a guard written for it guards nothing there. */
import type { Fields } from './effects.ts';
import type { EventName } from './events.ts';

interface Nearest {
  readonly at: EventName;
  /** The missing event's payload, seen from the one that fires; null: not this time. */
  readonly as: (payload: Fields) => Fields | null;
}

const WRITERS = new Set(['write', 'edit', 'multi-edit']);

export const NEAREST: { readonly [E in EventName]?: Nearest } = {
  'tool.permission': { at: 'tool.before', as: (payload) => payload },
  'file.edited': {
    at: 'tool.after',
    as: ({ tool, input, isError }) => {
      const file = (input as Fields | undefined)?.['path'];
      return WRITERS.has(String(tool)) && typeof file === 'string' && isError !== true ? { file } : null;
    },
  },
  'agent.before': { at: 'prompt.submit', as: ({ prompt }) => ({ prompt }) },
  'agent.idle': { at: 'agent.end', as: () => ({}) },
  // It comes too late to keep the agent working: what a hook wants of it is said to be lost.
  'turn.stop': { at: 'agent.idle', as: () => ({ active: false }) },
};

/** Where hooks of an event are fired by a host that lacks it; undefined: nothing there comes near. */
export function firedAt(missing: EventName, lacks: readonly EventName[]): EventName | undefined {
  const at = NEAREST[missing]?.at;
  return at !== undefined && lacks.includes(at) ? firedAt(at, lacks) : at;
}
