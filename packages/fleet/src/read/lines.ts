/** Arrivals as lines: a record that was too large for one message is put together again. */
import { type LineEntry, readLine } from 'anyhook/journal';
import type { Source } from '../nats/subject.ts';
import type { Arrival } from '../nats/arrivals.ts';

export interface FleetLine {
  readonly source: Source;
  readonly file: string;
  readonly entry: LineEntry;
  readonly seq: number;
  /** How far the machine's clock was behind the server's when it sent this; the way there is in it. */
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
    // Its beginning came before what was asked for: the rest of it says nothing.
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
