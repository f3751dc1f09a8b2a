/** The engine is asked by this program where no `nc` can: the same words, the same rules as in `warm/launcher.ts`. */
import { existsSync, lstatSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
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
import { enginePlaces, isClosedToOthers } from '../../warm/places.ts';
import { claim, COLD_ENDING, keptBy, TAKEN_ENDING } from '../../warm/spool.ts';
import type { NativeOutput } from '../../console/speak.ts';

/** With the encoding said, Node writes a text at once; otherwise it first runs a page of code that nothing else here needs. */
const OWN = { encoding: 'utf8', mode: 0o600 } as const;

/** Its answer; or how the cold way goes on. */
export function askEngine(
  folder: string,
  event: Pick<WarmRequest, 'bin' | 'argv' | 'text'>,
): NativeOutput | EngineOrder['word'] {
  const places = enginePlaces(folder);
  if (!isClosedToOthers(folder) || !isOurs(places.socket)) return 'start';
  const { pid, ppid: parent } = process;
  const kept = keptBy(places.spool, pid);
  const [question, answered] = [`${places.asked}/${pid}`, heardBy(places, pid)];
  const words = { ...event, pid, parent };
  try {
    // What a process that had our number was told is no answer to us: where it cannot be taken away, nothing is asked.
    if (existsSync(answered)) unlinkSync(answered);
    writeFileSync(kept, '', OWN);
    // Written elsewhere: the engine is woken once, when the whole of it is there.
    writeFileSync(`${kept}.new`, requestText(words), OWN);
    renameSync(`${kept}.new`, question);
  } catch {
    return 'start'; // without it nobody could tell who answers
  }
  const heard = answerIn(answerTo(answered));
  for (const file of [question, answered]) remove(file);
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
    const size = lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size === known) continue;
    heard = readFileSync(file, 'utf8');
    if (isWhole(heard)) break;
    [known, last] = [size, performance.now()];
  }
  return heard;
}
/** How long it may say nothing, in seconds. */
const silenceOf = (heard: number): number => (heard === 0 ? TAKEN_WITHIN_S : SILENT_FOR_S);
