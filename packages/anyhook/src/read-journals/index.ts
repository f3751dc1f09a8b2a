/** Reads the journals of a machine: where they are, what a line contains, and whether the chain is complete. */
export {
  type HookCard,
  isWantedVerdict,
  type JournalEntry,
  type JournalQuery,
  type JournalRecord,
  type LineEntry,
  type LinePart,
  matchesQuery,
  readFolder,
  readLine,
  type ReadRecord,
  recordedText,
  SHIPPED,
  type VerifiedSession,
  verifyFolder,
  WANTED_VERDICTS,
  type WantedVerdict,
} from '../journal/index.ts';
export { hookSpanOf, type TraceContext } from '../events/trace.ts';
export { durationMs, UsageError } from '../console/usage.ts';
export { journalPlaces, type JournalPlaces } from './places.ts';
