/** The engine is asked by this program where no `nc` can: the same words, the same rules as in `warm/launcher.ts`. */
import {
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  answerIn,
  isWhole,
  requestText,
  SILENT_FOR_S,
  TAKEN_WITHIN_S,
  type WarmRequest,
} from '../../warm/wire.ts';
import type { EngineOrder } from '../../fire/arguments.ts';
import { heardBy } from '../../warm/file-client.ts';
import { enginePlaces, obstacleTo } from '../../warm/places.ts';
import { claim, COLD_ENDING, keptBy, TAKEN_ENDING } from '../../warm/spool.ts';
import type { NativeOutput } from '../../console/speak.ts';

/** Its answer; or how the cold way goes on. */
export function askEngine(
  folder: string,
  event: Pick<WarmRequest, 'bin' | 'argv' | 'text'>,
): NativeOutput | EngineOrder['word'] {
  const places = enginePlaces(folder);
  if (obstacleTo(places) !== undefined || !isOurs(places.socket)) return 'start';
  const { pid, ppid: parent } = process;
  const kept = keptBy(places.spool, pid);
  const question = join(places.asked, String(pid));
  const words = { ...event, pid, parent };
  try {
    // What a process that had our number was told is no answer to us: where it cannot be taken away, nothing is asked.
    if (existsSync(heardBy(question))) unlinkSync(heardBy(question));
    writeFileSync(kept, '', { mode: 0o600 });
    writeFileSync(`${question}.new`, requestText(words), { mode: 0o600 });
    renameSync(`${question}.new`, question);
  } catch {
    return 'start'; // without it nobody could tell who answers
  }
  const heard = answerIn(answerTo(heardBy(question)));
  for (const file of [question, heardBy(question)]) remove(file);
  if (typeof heard === 'object') return heard;
  const isOurTurn = claim(kept, COLD_ENDING);
  remove(`${kept}${isOurTurn ? COLD_ENDING : TAKEN_ENDING}`);
  if (heard === 'cold') return 'start';
  return isOurTurn ? 'replace' : 'lost';
}

/** `rmSync` is loaded at its first call, and an error costs more than a look. */
function remove(file: string): void {
  try {
    if (existsSync(file)) unlinkSync(file);
  } catch {
    // the engine was quicker, or sweeps it later: no reason to lose the answer
  }
}

function isOurs(socket: string): boolean {
  const status = lstatSync(socket, { throwIfNoEntry: false });
  return status?.isSocket() === true && status.uid === process.getuid?.();
}

/** Looked at often as long as an answer can be expected at any moment, then less and less. */
const OFTEN_MS = 0.5;
const SELDOM_MS = 25;
/** Whatever was said, when it is whole or nothing more comes. */
function answerTo(file: string): string {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  const began = performance.now();
  let [heard, known] = ['', 0];
  for (let [now, last] = [began, began]; now - last < 1000 * silenceOf(known); now = performance.now()) {
    Atomics.wait(clock, 0, 0, Math.min(SELDOM_MS, Math.max(OFTEN_MS, (now - began) / 20)));
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size === known) continue;
    heard = readFileSync(file, 'utf8');
    if (isWhole(heard)) break;
    [known, last] = [size, performance.now()];
  }
  return heard;
}
/** How long it may say nothing, in seconds. */
const silenceOf = (heard: number): number => (heard === 0 ? TAKEN_WITHIN_S : SILENT_FOR_S);
