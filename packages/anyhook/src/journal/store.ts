/** The journal of one session. Writing is synchronous and never throws; a record is acknowledged when it is written. */
import { join } from 'node:path';
import { Appender } from './appender.ts';
import type { ByteBuffer } from './byte-buffer.ts';
import { fileNameOf } from '../events/session-file.ts';
import type { Draft } from './record.ts';
import { createRedactor, type Redactor } from './redact.ts';
import type { Env } from './secret-values.ts';
import { describeValue } from './describe-value.ts';
import { PART_BYTES } from './session-parts.ts';
import { removeOld, type Retention, UNSHIPPED } from './retention.ts';

export interface JournalStoreOptions {
  /** One file per session in here; made when it is missing, for this user alone. */
  readonly folder: string;
  /** Where the heads of the chains are kept: not in `folder`, or one hand reaches both. */
  readonly heads: string;
  readonly session: string;
  /** A record that cannot be written makes `write` answer `ok: false`. */
  readonly required?: boolean;
  readonly env?: Env;
  readonly secrets?: Iterable<string>;
  /** How many records wait in memory while the disk takes none. */
  readonly ring?: number;
  /** Told once when trouble begins, and once when it is over. */
  readonly onTrouble?: (trouble: Trouble) => void;
  /** The file itself instead of a name made from the session: for devices and links. */
  readonly file?: string;
  /** A session that writes more goes on in the next part. */
  readonly partBytes?: number;
  /** Of the sessions before this one. */
  readonly keep?: Retention;
}

export interface Trouble {
  readonly kind: 'not-written' | 'no-head' | 'not-removed' | 'not-shipped' | 'over';
  readonly message: string;
  /** Records that wait in memory, and records that no longer do. */
  readonly waiting: number;
  readonly lost: number;
}

/** `ok`: the host may go on. `written`: the record is in the file. */
export type WriteResult =
  | { readonly ok: true; readonly written: true; readonly seq: number }
  | { readonly ok: boolean; readonly written: false; readonly why: string };

export interface Journal {
  readonly file: string;
  readonly head: string;
  readonly trouble: Trouble | undefined;
  write(record: Draft): WriteResult;
  /** Tries once more to write what waits, and marks the chain as ended. Not needed for anything to be safe. */
  close(): void;
}

const RING = 1000;
const RING_BYTES = 16 * 1024 * 1024;

export const journalFileOf = (folder: string, session: string): string =>
  join(folder, `${fileNameOf(session)}.jsonl`);
export const headFileOf = (heads: string, session: string): string =>
  join(heads, `${fileNameOf(session)}.head`);

export function openJournal(options: JournalStoreOptions): Journal {
  const file = options.file ?? journalFileOf(options.folder, options.session);
  const head = headFileOf(options.heads, options.session);
  let redactor: Redactor | undefined; // made with the first record: who never fires a hook does not pay for it
  const waiting = new Waiting(options.ring ?? RING);
  const tell = teller(options.onTrouble);
  let trouble: Trouble | undefined;
  let hasToldOfHead = false;

  const { partBytes = PART_BYTES } = options;
  const appender = new Appender({ file, head, named: options.file !== undefined, partBytes }, (error) => {
    if (hasToldOfHead) return;
    hasToldOfHead = true;
    const message = `the head of the journal cannot be kept at ${head}: ${describeValue(error)}. A cut tail would not show.`;
    tell({ kind: 'no-head', message, waiting: waiting.size, lost: waiting.lost });
  });

  /** In order: what waited goes first. */
  function flush(): number {
    let seq = 0;
    for (let body = waiting.first(); body !== undefined; body = waiting.first()) {
      seq = appender.append(body, waiting.lost);
      waiting.drop();
    }
    if (trouble !== undefined)
      tell({ kind: 'over', message: `${file} is written again.`, waiting: 0, lost: trouble.lost });
    trouble = undefined;
    return seq;
  }

  function failed(error: unknown): string {
    const message = `the journal cannot be written to ${file}: ${describeValue(error)}. Free the disk or mend the folder; until then up to ${waiting.most} records wait in memory.`;
    const isNew = trouble === undefined;
    trouble = { kind: 'not-written', message, waiting: waiting.size, lost: waiting.lost };
    if (isNew) tell(trouble);
    return message;
  }

  let { keep } = options;
  /** Once, after the first record: then folder and heads are there. */
  function tidy(): void {
    if (keep === undefined) return;
    const wanted = keep;
    keep = undefined;
    try {
      const removed = removeOld(options, wanted, {
        session: fileNameOf(options.session),
        atMs: Date.now(),
      });
      const given = removed.filter(({ unshippedBytes }) => unshippedBytes > 0);
      if (given.length > 0)
        tell({
          kind: 'not-shipped',
          message: `${given.length} old journals in ${options.folder} were removed before they were shipped (${given.map(({ session }) => session).join(', ')}): they had waited for ${UNSHIPPED.days} days, or were more than ${UNSHIPPED.bytes / 1e9} GB. See whether anyhook-fleet ship runs.`,
          waiting: waiting.size,
          lost: waiting.lost,
        });
    } catch (error) {
      const message = `old journals in ${options.folder} cannot be removed: ${describeValue(error)}.`;
      tell({ kind: 'not-removed', message, waiting: waiting.size, lost: waiting.lost });
    }
  }

  return {
    file,
    head,
    get trouble() {
      return trouble;
    },
    write(record) {
      redactor ??= createRedactor(options);
      const body = redactor.record(record);
      let isWaiting = false;
      try {
        let seq: number;
        if (waiting.size === 0) seq = appender.append(body, waiting.lost);
        else {
          waiting.add(body);
          isWaiting = true;
          seq = flush();
        }
        tidy();
        return { ok: true, written: true, seq };
      } catch (error) {
        if (!isWaiting) waiting.add(body);
        return { ok: options.required !== true, written: false, why: failed(error) };
      }
    },
    close() {
      try {
        flush();
      } catch (error) {
        failed(error);
      }
      appender.close();
    },
  };
}

/** Records that wait for the disk. When there are too many the oldest go, and are counted. */
class Waiting {
  readonly most: number;
  lost = 0;
  readonly #bodies: ByteBuffer[] = [];
  #length = 0;

  constructor(most: number) {
    this.most = Math.max(1, most);
  }
  get size(): number {
    return this.#bodies.length;
  }
  first(): ByteBuffer | undefined {
    return this.#bodies[0];
  }
  add(body: ByteBuffer): void {
    this.#bodies.push(body.copy()); // the bytes belong to whoever made them
    this.#length += body.at;
    while (this.#bodies.length > this.most || (this.#length > RING_BYTES && this.#bodies.length > 1)) {
      this.#length -= this.#bodies.shift()!.at;
      this.lost++;
    }
  }
  /** The first was written, and with it the number of those before it that were not. */
  drop(): void {
    this.#length -= this.#bodies.shift()!.at;
    this.lost = 0;
  }
}

/** Whoever listens cannot break the journal; when nobody listens, Node says it once on stderr. */
function teller(onTrouble: JournalStoreOptions['onTrouble']): (trouble: Trouble) => void {
  return (trouble) => {
    try {
      if (onTrouble !== undefined) onTrouble(trouble);
      else if (trouble.kind !== 'over') process.emitWarning(trouble.message, 'AnyhookJournal');
    } catch {
      // the record of the trouble stays on `journal.trouble`
    }
  };
}
