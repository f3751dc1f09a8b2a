/**
 * A program that the helper process runs when a background hook ends after its own program has exited. It reads the hook's
 * answer, records it in the session's journal and leaves its texts for the next event of that session.
 */

import { readFileSync } from 'node:fs';
import { dialectsNamed } from '../dialects.ts';
import { readLate } from '../engine/late-run.ts';
import type { RunEnd } from '../runners/command/job.ts';
import { SessionFiles } from '../sessions/file-store.ts';
import type { LateTask } from './afterwards.ts';
import { leaveTexts } from './late-texts.ts';
import { openRecords } from './records.ts';

const { input, reply, ms } = JSON.parse(readFileSync(0, 'utf8')) as RunEnd;
const { hook, start, journal, folders, host, env, origin, sessionStore } = input as LateTask;
const [dialect] = dialectsNamed([hook.dialect]).dialects;
if (dialect !== undefined) {
  const run = readLate(reply, hook, dialect, start, ms);
  if (sessionStore === 'file') {
    const store = new SessionFiles({ folder: folders.sessions, host: host.name });
    leaveTexts(store, start.event.ids.session, run);
  }
  if (journal !== false) {
    const records = openRecords({ journal, folders, host, env, origin, hookOf: () => hook, warn() {} });
    records.keepLate(start.event, run);
    records.close();
  }
}
