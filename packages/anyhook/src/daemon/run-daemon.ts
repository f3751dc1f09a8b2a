/** `anyhook daemon run`: becomes the daemon, unless one of this build already listens. */

import { inspect } from 'node:util';
import { locationsOf } from '../gather/folders.ts';
import { makeFolder } from '../settings/make-folder.ts';
import { writeOwn } from '../settings/own-file.ts';
import { daemonState, endIfUnresponsive, stopDaemon } from './ask-daemon.ts';
import { Daemon } from './daemon.ts';
import { daemonObstacle, type DaemonPlace, daemonPlaceOf } from './place.ts';
import { OWN_PROGRAM } from './program-mark.ts';
import { isDaemonOff } from './setting.ts';
import type { SpareProcess } from './spare-process.ts';

/** Longer than a busy machine takes to schedule a process. */
const ANSWER_MS = 5000;

/** The client that started it then runs its event directly at once. */
const EXIT_CANNOT_RUN = 1;
const EXIT_CRASHED = 70;

/** `anyhook daemon status` prints why the last daemon crashed. */
function keepLastWords(place: DaemonPlace): void {
  process.on('uncaughtException', (error) => {
    writeOwn(place.crash, `${new Date().toISOString()} ${inspect(error)}\n`);
    process.exit(EXIT_CRASHED);
  });
}

/** Resolves with an exit code when the daemon has ended. 0 also means that another one listens already. */
export async function runDaemon(spare?: SpareProcess): Promise<number> {
  const locations = locationsOf({});
  const place = daemonPlaceOf(locations);
  makeFolder(place.folder);
  if (daemonObstacle(place) !== undefined || isDaemonOff(locations)) return EXIT_CANNOT_RUN;
  const running = await daemonState(place, ANSWER_MS);
  if (typeof running === 'object' && running.program === OWN_PROGRAM) return 0;
  if (running === 'silent') await endIfUnresponsive(place, ANSWER_MS);
  else if (running !== 'none') await stopDaemon(place, ANSWER_MS);
  keepLastWords(place);
  return await new Promise((resolve, reject) => {
    const daemon = new Daemon(place, spare, () => resolve(0));
    process.on('SIGTERM', () => daemon.retire());
    daemon.listen().catch(reject);
  });
}
