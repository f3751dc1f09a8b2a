/** The engine is asked by this program where no `nc` can: the same words, the same rules as in `warm/launcher.ts`. */
import { lstatSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { answerIn, requestText, SILENT_FOR_S, TAKEN_WITHIN_S, type WarmRequest } from '../../warm/wire.ts';
import type { EngineOrder } from '../../fire/arguments.ts';
import { enginePlaces, obstacleTo } from '../../warm/places.ts';
import { claim, COLD_ENDING, keptBy, TAKEN_ENDING } from '../../warm/spool.ts';
import type { NativeOutput } from '../../console/speak.ts';

/** Its answer; or how the cold way goes on. */
export async function askEngine(
  folder: string,
  event: Pick<WarmRequest, 'bin' | 'argv' | 'text'>,
): Promise<NativeOutput | EngineOrder['word']> {
  const places = enginePlaces(folder);
  if (obstacleTo(places) !== undefined || !isOurs(places.socket)) return 'start';
  const { pid, ppid: parent } = process;
  const kept = keptBy(places.spool, pid);
  try {
    writeFileSync(kept, '', { mode: 0o600 });
  } catch {
    return 'start'; // without it nobody could tell who answers
  }
  const heard = answerIn(await answerTo(places.socket, requestText({ ...event, pid, parent })));
  if (typeof heard === 'object') return heard;
  const isOurTurn = claim(kept, COLD_ENDING);
  rmSync(`${kept}${isOurTurn ? COLD_ENDING : TAKEN_ENDING}`, { force: true });
  if (heard === 'cold') return 'start';
  return isOurTurn ? 'replace' : 'lost';
}

function isOurs(socket: string): boolean {
  const status = lstatSync(socket, { throwIfNoEntry: false });
  return status?.isSocket() === true && status.uid === process.getuid?.();
}

const answerTo = (path: string, text: string): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ path, allowHalfOpen: true });
    const end = (): void => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString());
    };
    socket.setTimeout(TAKEN_WITHIN_S * 1000, end);
    socket.on('error', end);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      socket.setTimeout(SILENT_FOR_S * 1000);
    });
    socket.on('end', end);
    socket.end(text);
  });
