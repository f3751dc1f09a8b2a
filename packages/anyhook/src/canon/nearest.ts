/** A moment the host lacks is fired at the nearest one it has, or a guard written for it guards nothing there. */
import type { Fields } from './effects.ts';
import type { EventName } from './events.ts';

interface Nearest {
  readonly at: EventName;
  /** The missing moment's payload, seen from the one that fires; null: not this time. */
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
};
