/** Converts messages to lines and joins records that were split into several messages. */

import { type LineEntry, readLine } from 'anyhook/journal';
import type { Arrival } from '../nats/arrivals.ts';
import type { Source } from '../nats/subject.ts';

export interface FleetLine {
  readonly source: Source;
  readonly file: string;
  readonly entry: LineEntry;
  readonly seq: number;
  /** How far the clock of the machine was behind the server when it sent this, including the time of transfer. */
  readonly behindMs: number;
}

const NEWLINE = 0x0a;

export async function* linesOf(arrivals: AsyncIterable<Arrival>): AsyncGenerator<FleetLine> {
  const begun = new Map<string, Uint8Array>();
  for await (const { piece, bytes, source, seq, arrivedMs } of arrivals) {
    if (piece.kind !== 'lines') continue;
    const key = `${source.machine}\0${source.user}\0${piece.file}\0${piece.journal}`;
    const before = piece.isWithinLine ? begun.get(key) : undefined;
    begun.delete(key);
    let text = Buffer.concat(before === undefined ? [bytes] : [before, bytes]);
    // The beginning of this line is before the query, so skip the rest of it.
    if (piece.isWithinLine && before === undefined) text = text.subarray(text.indexOf(NEWLINE) + 1);
    let from = 0;
    for (let to = text.indexOf(NEWLINE); to !== -1; to = text.indexOf(NEWLINE, from)) {
      for (const { entry } of readLine(text.subarray(from, to)))
        yield { source, file: piece.file, entry, seq, behindMs: arrivedMs - piece.sentMs };
      from = to + 1;
    }
    if (from < text.length) begun.set(key, text.subarray(from));
  }
}
