/**
 * A client without an `nc` is a program of Node, and what Node needs for a socket takes longer to load than all the rest of the
 * question. So it asks by a file: the same words as over the socket, and what would come back there is written beside it.
 */
import { appendFileSync, type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { readOwn } from '../../settings/own-file.ts';
import type { ClientLine } from './client-line.ts';

/** Where what was said to a client is written. */
export const heardBy = (question: string): string => `${question}.heard`;

/** Calls back for every question that is laid down whole, by its rename. */
export function watchQuestions(
  folder: string,
  hear: (bytes: Buffer, line: ClientLine) => void,
  most: number,
): FSWatcher {
  return watch(folder, (kind, name) => {
    if (kind !== 'rename' || name === null || !/^\d{1,10}$/.test(name)) return;
    const question = join(folder, name);
    const bytes = readOwn(question, most);
    if (bytes !== undefined) hear(bytes, lineTo(question));
  });
}

function lineTo(question: string): ClientLine {
  const write = (text: string): void => {
    try {
      appendFileSync(heardBy(question), text, { mode: 0o600 });
    } catch {
      // who does not hear it goes the cold way, or counts it as lost: as with a line that was cut
    }
  };
  return { write, end: write, destroy: () => {} };
}
