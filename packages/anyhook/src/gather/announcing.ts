import { keepAct } from '../settings/acts.ts';
import type { TrustSession } from '../settings/trust/session.ts';
import type { Folders } from './folders.ts';
import { circumstances } from './person.ts';

/** A grant that every session is told of; what cannot be told is a failure, and said as one. */
export const announcing =
  (grant: TrustSession['grant'], { acts }: Folders): TrustSession['grant'] =>
  (entry) => {
    const added = grant(entry);
    if (added.kind !== 'added') return added;
    const what = `trusted what ${entry.file} asks for`;
    try {
      keepAct(acts, { at: new Date().toISOString(), what, ...circumstances() });
      return added;
    } catch (error) {
      const message = `cannot tell other sessions what was trusted: ${(error as Error).message}.`;
      const remedy = 'Make its folder writable for you.';
      return {
        kind: 'failed',
        problem: { code: 'file-unreadable', file: acts, message, remedy, severity: 'error' },
      };
    }
  };
