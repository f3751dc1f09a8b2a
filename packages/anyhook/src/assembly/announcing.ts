import { keepAct } from '../settings/acts.ts';
import type { TrustSession } from '../settings/trust/session.ts';
import type { Folders } from './folders.ts';
import { circumstances } from './person.ts';

/** A grant that every session is told of. */
export const announcing =
  (grant: TrustSession['grant'], { acts }: Folders): TrustSession['grant'] =>
  (entry) => {
    const added = grant(entry);
    if (added.kind === 'added')
      keepAct(acts, {
        at: new Date().toISOString(),
        what: `trusted what ${entry.file} asks for`,
        ...circumstances(),
      });
    return added;
  };
