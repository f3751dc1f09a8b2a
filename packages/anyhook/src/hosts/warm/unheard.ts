import { buildOf } from '../silence/build.ts';
import { type Question, questionOf } from '../silence/question.ts';
import { isDiskSame, recall, type RememberedSilence, silenceIn } from '../silence/recall.ts';
import { type DiskRecord, diskRecord, lookKey, diskMark } from '../../settings/disk-record.ts';
import { MANAGED } from '../../settings/managed.ts';
import type { ClientProcess } from './client-process.ts';
import type { WarmRequest } from './wire.ts';

/** A larger one is left to a session's process: while it is read here, nobody else is answered. */
const LARGEST = 1024 * 1024;
const MOST_KEPT = 64;

interface KeptSilence {
  readonly known: RememberedSilence;
  /** Of the memory and of everything it was remembered with, when all of that was the same. */
  readonly record: DiskRecord;
}
/** By the file of the memory. */
const kept = new Map<string, KeptSilence>();

/**
 * What the agent hears about an event that nobody listens to, from what the cold way has remembered, while all of that is still
 * so. Undefined: somebody may listen.
 */
export function unheardAnswer(
  { argv, text, bin }: WarmRequest,
  { env, cwd }: ClientProcess,
): string | undefined {
  if (text.length > LARGEST) return undefined;
  const question = questionOf(argv, text, { env, here: () => cwd, build: buildOf(bin) });
  const known = question && knownTo(question);
  return known && silenceIn(known, question, env)?.stdout;
}

/** Files are compared by their text once; from then on it is enough that the system says nothing else of them. */
function knownTo({ file }: Question): RememberedSilence | undefined {
  const before = kept.get(file);
  if (before?.record.isSame() === true) return before.known;
  kept.delete(file);
  const own = [lookKey('file', file), lookKey('file', MANAGED.folder)];
  const seen = new Map(own.map((key) => [key, diskMark(key)]));
  const known = recall(file);
  if (known === undefined) return undefined;
  const { files, folders, missing, there } = known.looked;
  for (const path of [...Object.keys(files), ...missing, ...Object.keys(there)])
    seen.set(lookKey('file', path), diskMark(lookKey('file', path)));
  for (const path of Object.keys(folders)) seen.set(lookKey('names', path), diskMark(lookKey('names', path)));
  if (!isDiskSame(known.looked)) return undefined;
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(file, { known, record: diskRecord(seen) });
  return known;
}
