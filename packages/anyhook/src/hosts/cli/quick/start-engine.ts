/** Starts an engine for the events to come. Where none can be, or one is about to listen, what starts it is not even loaded. */
import { enginePlaces, isBeingStarted, obstacleTo } from '../../warm/places.ts';
import type { StartOptions } from '../../warm/start.ts';

export async function startWhereNone(folder: string, options: StartOptions): Promise<void> {
  const places = enginePlaces(folder);
  if (obstacleTo(places) !== undefined || isBeingStarted(places)) return;
  const { startEngine } = await import('../../warm/start.ts');
  startEngine(folder, options);
}
