import { last } from '../../journal/index.ts';
import { recordChain } from '../../views/record-lines.ts';
import { journalFolder } from '../console/journal-folder.ts';
import { print, printJson, screenFor } from '../console/print.ts';
import { UsageError } from '../console/usage.ts';
import type { WhyOptions } from './why.ts';

/** What happened to the last event, from the journal: the same chain, as it was. Exit 1 when no hook was asked. */
export function whyLast({ session, cwd, json }: WhyOptions): number {
  const folder = journalFolder(cwd);
  const record = last({ folder }, session === undefined ? {} : { session });
  if (record === undefined)
    throw new UsageError(
      `why: nothing was recorded${session === undefined ? '' : ` of the session ${session}`} in ${folder}`,
    );
  if (json === true) printJson(record);
  else print(recordChain(record, screenFor(cwd)));
  return record.hooks.some(({ skipped }) => skipped === undefined) ? 0 : 1;
}
