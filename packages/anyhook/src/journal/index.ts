/** The journal: one record per fire, redacted, chained and acknowledged when written. */
export { Card, cardOf } from './card.ts';
export { asRecord, type ReadRecord } from './guard.ts';

export { withEnds } from './late.ts';
export {
  linesBefore,
  linesFrom,
  linesWith,
  recordAt,
  type LineBlock,
  type PlacedEntry,
} from './line-blocks.ts';
export { readLine, type LineEntry, type LinePart } from './read-line.ts';
export {
  isWantedVerdict,
  last,
  matchesQuery,
  readFile,
  readFolder,
  WANTED_VERDICTS,
  type JournalEntry,
  type JournalQuery,
  type WantedVerdict,
} from './read.ts';
export {
  makeLateRecord,
  makeRecord,
  recordedText,
  type ConsideredHook,
  type CutText,
  type Draft,
  type RecordGap,
  type HookCard,
  type HostName,
  type JournalRecord,
  type RecordOrigin,
  type RecordInput,
  type Text,
} from './record.ts';
export { hostShown, originOf, type KnownOrigin, type OriginFields } from './origin.ts';
export { createRedactor, redact, type KnownSecrets, type Redactor } from './redact.ts';
export {
  headFileOf,
  journalFileOf,
  openJournal,
  type Journal,
  type JournalStoreOptions,
  type Trouble,
  type WriteResult,
} from './store.ts';
export type { Env } from './secret-values.ts';
export { type Retention } from './retention.ts';
export { SHIPPED } from './shipped.ts';
export { type VerifiedSession, verifyFolder } from './verify-folder.ts';
export { firstPartOf, nextPartOf } from './session-parts.ts';
export { verify, verifyInSteps, type JournalFinding, type Verification } from './verify.ts';
