/**
 * Writes the stream to a folder of journals, byte for byte as on the machines. Every reader of journals then works on
 * the fleet, and `verifyFolder` shows what is missing.
 */

import { appendFileSync, closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalPlaces } from 'anyhook/journal';
import type { Arrival } from '../nats/arrivals.ts';

export interface MirrorFinding {
  readonly subject: string;
  readonly message: string;
}

export class Mirror {
  readonly places: JournalPlaces;
  readonly findings: MirrorFinding[] = [];
  /** Counts records and heads. */
  messages = 0;
  readonly #journals = new Map<string, string>();
  readonly #ends = new Map<string, number>();
  readonly #lastSeqs = new Map<string, number>();

  constructor(folder: string) {
    this.places = { folder: join(folder, 'journal'), heads: join(folder, 'heads') };
    for (const place of Object.values(this.places)) mkdirSync(place, { recursive: true, mode: 0o700 });
  }

  add(arrival: Arrival): void {
    const { piece, bytes, source, seq, follows } = arrival;
    const subject = `${source.machine}.${source.user}`;
    this.messages++;
    const last = this.#lastSeqs.get(subject);
    this.#lastSeqs.set(subject, seq);
    if (last !== undefined && follows !== undefined && follows !== last)
      this.#find(subject, `message ${seq} follows ${follows}, but the one before it here is ${last}`);
    if (piece.kind === 'head')
      return writeAt(join(this.places.heads, `${subject}.${piece.file}`), bytes, piece.from);
    const name = this.#nameOf(`${subject}.${piece.file}`, piece.journal);
    const end = this.#ends.get(name) ?? 0;
    if (piece.from !== end)
      this.#find(
        subject,
        piece.from > end
          ? `${piece.file}: ${piece.from - end} bytes before byte ${piece.from} are not here`
          : `${piece.file}: begins again at byte ${piece.from} of ${end}: it was shortened or rewritten`,
      );
    this.#ends.set(name, piece.to);
    appendFileSync(join(this.places.folder, name), bytes, { mode: 0o600 });
  }

  /** Different journals with the same name become different files. */
  #nameOf(name: string, journal: string): string {
    const known = this.#journals.get(name);
    if (known === undefined) this.#journals.set(name, journal);
    return known === undefined || known === journal
      ? name
      : name.replace(/((?:~~\d+)?\.jsonl)$/, `+${journal.slice(0, 8)}$1`);
  }

  #find(subject: string, message: string): void {
    this.findings.push({ subject, message });
  }
}

/** Lines of a head are rewritten in place. */
function writeAt(file: string, bytes: Uint8Array, at: number): void {
  const fd = openSync(file, constants.O_WRONLY | constants.O_CREAT, 0o600);
  try {
    writeSync(fd, bytes, 0, bytes.length, at);
  } finally {
    closeSync(fd);
  }
}
