/** The journals of a machine, for programs that read them: where they are, what a line holds, whether all of it is there. */
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
