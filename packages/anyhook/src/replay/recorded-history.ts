/** The history that rules read while records are replayed: what was recorded before, at the recorded time. */

import { MemoryHistory } from '../history/history.ts';
import { loggedRecord } from '../history/logged-event.ts';
import type { ReadRecord } from '../journal/index.ts';

export class RecordedHistory extends MemoryHistory {
  atMs = 0;
  readonly nowMs = (): number => this.atMs;

  add(record: ReadRecord): void {
    const event = loggedRecord(record);
    if (event !== undefined) this.note(event);
  }
}
