/** The memory: one record per fire, redacted, chained, acknowledged when written. */
export { Card } from './card.ts';
export { asRecord, type ReadRecord } from './guard.ts';
export { fileNameOf } from './file-name.ts';
export { withEnds } from './late.ts';
export {
  isWantedVerdict,
  last,
  readFile,
  readFolder,
  WANTED_VERDICTS,
  type Entry,
  type Wanted,
  type WantedVerdict,
} from './read.ts';
export {
  makeLateRecord,
  makeRecord,
  textOf,
  type Considered,
  type Cut,
  type Draft,
  type Gap,
  type HookCard,
  type HostName,
  type JournalRecord,
  type RecordInput,
  type Text,
} from './record.ts';
export { createRedactor, redact, type Known, type Redactor } from './redact.ts';
export {
  headFileOf,
  journalFileOf,
  openJournal,
  type Journal,
  type JournalOptions,
  type Trouble,
  type WriteResult,
} from './store.ts';
export type { Env } from './secret-values.ts';
export { verify, type Finding, type Verified } from './verify.ts';
