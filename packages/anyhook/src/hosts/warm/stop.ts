import { setTimeout } from 'node:timers/promises';
import { isEngineAlive, ownerIn } from './owner.ts';
import { enginePlaces } from './places.ts';

/** What it has under way is answered first. False: none was there. */
export function stopEngine(folder: string): boolean {
  const owner = ownerIn(enginePlaces(folder).owner);
  if (owner === undefined || !isEngineAlive(owner)) return false;
  try {
    return process.kill(owner.pid, 'SIGTERM');
  } catch {
    return false;
  }
}

const LOOK_EVERY_MS = 20;

/** False when it still answers something after that time. */
export async function hasStopped(folder: string, waitMs: number): Promise<boolean> {
  for (const until = performance.now() + waitMs; performance.now() < until; await setTimeout(LOOK_EVERY_MS)) {
    const owner = ownerIn(enginePlaces(folder).owner);
    if (owner === undefined || !isEngineAlive(owner)) return true;
  }
  return false;
}
