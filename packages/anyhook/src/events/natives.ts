/**
 * Remembers which payloads a dialect has read. The dialect of a payload is known by its reader, never by its
 * format.
 */

import type { Fields } from './effects.ts';

export interface Natives {
  readonly keep: (raw: unknown) => void;
  readonly has: (raw: unknown) => raw is Fields;
}

export function makeNatives(): Natives {
  const payloads = new WeakSet<object>();
  return {
    keep: (raw) => {
      if (typeof raw === 'object' && raw !== null) payloads.add(raw);
    },
    has: (raw): raw is Fields => typeof raw === 'object' && raw !== null && payloads.has(raw),
  };
}
