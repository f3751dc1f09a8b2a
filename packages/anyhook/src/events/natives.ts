/** Payloads as one dialect read them: whose words a payload is in is known by who read it, never by how it looks. */
import type { Fields } from './effects.ts';

export interface Natives {
  readonly keep: (raw: unknown) => void;
  readonly has: (raw: unknown) => raw is Fields;
}

export function makeNatives(): Natives {
  const kept = new WeakSet<object>();
  return {
    keep: (raw) => {
      if (typeof raw === 'object' && raw !== null) kept.add(raw);
    },
    has: (raw): raw is Fields => typeof raw === 'object' && raw !== null && kept.has(raw),
  };
}
