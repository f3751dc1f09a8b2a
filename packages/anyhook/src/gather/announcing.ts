import { keepAct } from '../settings/acts.ts';
import type { TrustSession } from '../settings/trust/session.ts';
import type { Folders } from './folders.ts';
import { circumstances } from './person.ts';

/** Wraps a grant so that every session is notified of it. A failed notification is returned as a failure. */
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
      const message = `cannot notify other sessions of the trust change: ${(error as Error).message}.`;
      const remedy = 'Make its folder writable.';
      return {
        kind: 'failed',
        problem: { code: 'file-unreadable', file: acts, message, remedy, severity: 'error' },
      };
    }
  };
