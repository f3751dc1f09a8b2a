/**
 * A client without an `nc` is a program of Node, and what Node needs for a socket takes longer to load than all the rest of the
 * question. So it asks by a file: the same words as over the socket, and what would come back there is written beside what it keeps.
 */
import { appendFileSync, type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { readOwn } from '../../settings/own-file.ts';
import type { ClientLine } from './client-line.ts';
import type { EnginePlaces } from './places.ts';
import { HEARD_ENDING, keptBy } from './spool.ts';

/** Where what was said to a client is written. Not beside its question: whatever happens there wakes the engine. */
export const heardBy = ({ spool }: EnginePlaces, pid: number): string =>
  `${keptBy(spool, pid)}${HEARD_ENDING}`;

/** Calls back for every question that is laid down whole, by its rename. */
export function watchQuestions(
  places: EnginePlaces,
  hear: (bytes: Buffer, line: ClientLine) => void,
  most: number,
): FSWatcher {
  return watch(places.asked, (kind, name) => {
    if (kind !== 'rename' || name === null || !/^\d{1,10}$/.test(name)) return;
    const bytes = readOwn(join(places.asked, name), most);
    if (bytes !== undefined) hear(bytes, lineTo(heardBy(places, Number(name))));
  });
}

function lineTo(file: string): ClientLine {
  const write = (text: string): void => {
    try {
      appendFileSync(file, text, { encoding: 'utf8', mode: 0o600 }); // with the encoding said, by one call of the system's
    } catch {
      // who does not hear it goes the cold way, or counts it as lost: as with a line that was cut
    }
  };
  return { write, end: write, destroy: () => {} };
}
