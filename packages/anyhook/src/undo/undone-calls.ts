/** Which calls the user has put back, in all projects. */

import { UndoRecords } from './records.ts';
import { storeFoldersIn } from './store.ts';

/** Ids of snapshots, as the journal has them in `undo`. An undo that was taken back does not count. */
export function undoneCalls(stores: string): ReadonlySet<string> {
  const undone = new Set<string>();
  for (const folder of storeFoldersIn(stores)) {
    const undos = new UndoRecords(folder).all().filter(({ kind }) => kind === 'undo');
    const takenBack = new Set(undos.flatMap(({ undid = [] }) => undid));
    for (const { id, undid = [] } of undos) if (!takenBack.has(id)) undid.forEach((call) => undone.add(call));
  }
  return undone;
}
