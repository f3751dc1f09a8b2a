/**
 * A program: run by the helper process when a background hook has ended and the program that fired it is gone. Reads what
 * the hook meant, records it in the journal of its session, and leaves what it said for the next event of that session.
 */
import { readFileSync } from 'node:fs';
import { dialectsNamed } from '../../assemble.ts';
import { readLate } from '../../engine/late-run.ts';
import type { RunEnd } from '../../runners/command/job.ts';
import type { LateTask } from './afterwards.ts';
import { textsOf } from './late.ts';
import { lateWordsIn } from './late-words.ts';
import { openRecords } from './records.ts';

const { input, reply, ms } = JSON.parse(readFileSync(0, 'utf8')) as RunEnd;
const { hook, start, journal, folders, host, env, origin } = input as LateTask;
const [dialect] = dialectsNamed([hook.dialect]).dialects;
if (dialect !== undefined) {
  const run = readLate(reply, hook, dialect, start, ms);
  const { session } = start.event.ids;
  lateWordsIn(folders.late).leave(session, start.key, textsOf(run));
  if (journal !== false) {
    const records = openRecords({ journal, folders, host, env, origin, hookOf: () => hook, warn() {} });
    records.keepLate(start.event, run);
    records.close();
  }
}
