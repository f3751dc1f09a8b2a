/** Controls the daemon of a home folder in this suite. */

import { setTimeout as pause } from 'node:timers/promises';
import { daemonState, ownerIn, stopDaemon } from '../../src/daemon/ask-daemon.ts';
import type { DaemonState } from '../../src/daemon/frames.ts';
import { daemonPlaceOf } from '../../src/daemon/place.ts';

const ANSWER_MS = 5_000;
const END_MS = 10_000;
const placeIn = (home: string) => daemonPlaceOf({ home, env: {} });

export async function daemonIn(home: string): Promise<DaemonState | undefined> {
  const state = await daemonState(placeIn(home), ANSWER_MS);
  return typeof state === 'object' ? state : undefined;
}

/** Ends the daemon. Otherwise it would notice the removed home only after ten seconds and write into it meanwhile. */
export async function endDaemon(home: string): Promise<void> {
  const owner = ownerIn(placeIn(home));
  if (owner === undefined) return;
  await stopDaemon(placeIn(home), ANSWER_MS);
  for (const last = Date.now() + END_MS; isRunning(owner.pid); await pause(20))
    if (Date.now() > last) throw new Error(`the daemon of ${home} does not end: ${owner.pid}`);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
