/**
 * The journal of one session. Writing is synchronous and never throws. A record is acknowledged once it is
 * written.
 */
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
  /** Folder with one file per session. Created if missing, private to this user. */
  readonly folder: string;
  /**
   * Folder for the heads of the chains. Not inside `folder`, so that access to one does not give access to
   * the other.
   */
  readonly heads: string;
  readonly session: string;
  /** `write` returns `ok: false` if a record cannot be written. */
  readonly required?: boolean;
  readonly env?: Env;
  readonly secrets?: Iterable<string>;
  /** Maximum number of records that wait in memory while the disk is not writable. */
  readonly ring?: number;
  /** Called once when a problem starts, and once when it is over. */
  readonly onTrouble?: (trouble: Trouble) => void;
  /** Explicit file instead of a name derived from the session, for devices and links. */
  readonly file?: string;
  /** A larger session continues in the next part. */
  readonly partBytes?: number;
  /** Retention of earlier sessions. */
  readonly keep?: Retention;
}

export interface Trouble {
  readonly kind: 'not-written' | 'no-head' | 'not-removed' | 'not-shipped' | 'over';
  readonly message: string;
  /** Records waiting in memory, and records that were dropped. */
  readonly waiting: number;
  readonly lost: number;
}

/** `ok`: the host may continue. `written`: the record is in the file. */
export type WriteResult =
  | { readonly ok: true; readonly written: true; readonly seq: number }
  | { readonly ok: boolean; readonly written: false; readonly why: string };

export interface Journal {
  readonly file: string;
  readonly head: string;
  readonly trouble: Trouble | undefined;
  write(record: Draft): WriteResult;
  /** Retries to write waiting records and marks the chain as ended. Records are safe without it. */
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
  let redactor: Redactor | undefined; // created for the first record, so that a session without hooks does not pay for it
  const waiting = new Waiting(options.ring ?? RING);
  const tell = teller(options.onTrouble);
  let trouble: Trouble | undefined;
  let hasToldOfHead = false;

  const { partBytes = PART_BYTES } = options;
  const appender = new Appender({ file, head, named: options.file !== undefined, partBytes }, (error) => {
    if (hasToldOfHead) return;
    hasToldOfHead = true;
    const message = `${head}: cannot write the journal head: ${describeValue(error)}. A truncated journal would not be detected.`;
    tell({ kind: 'no-head', message, waiting: waiting.size, lost: waiting.lost });
  });

  /** Writes in order: waiting records first. */
  function flush(): number {
    let seq = 0;
    for (let body = waiting.first(); body !== undefined; body = waiting.first()) {
      seq = appender.append(body, waiting.lost);
      waiting.drop();
    }
    if (trouble !== undefined)
      tell({ kind: 'over', message: `${file}: writing works again.`, waiting: 0, lost: trouble.lost });
    trouble = undefined;
    return seq;
  }

  function failed(error: unknown): string {
    const message = `${file}: cannot write the journal: ${describeValue(error)}. Free disk space or fix the folder; until then up to ${waiting.most} records wait in memory.`;
    const isNew = trouble === undefined;
    trouble = { kind: 'not-written', message, waiting: waiting.size, lost: waiting.lost };
    if (isNew) tell(trouble);
    return message;
  }

  let { keep } = options;
  /** Runs once, after the first record, when both folders exist. */
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
          message: `${options.folder}: removed ${given.length} old journals before they were shipped (${given.map(({ session }) => session).join(', ')}), because they were older than ${UNSHIPPED.days} days or larger than ${UNSHIPPED.bytes / 1e9} GB in all. Check that anyhook-fleet ship runs.`,
          waiting: waiting.size,
          lost: waiting.lost,
        });
    } catch (error) {
      const message = `${options.folder}: cannot remove old journals: ${describeValue(error)}.`;
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

/** Records that wait for the disk. If there are too many, the oldest are dropped and counted. */
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
    this.#bodies.push(body.copy()); // the caller reuses its buffer
    this.#length += body.at;
    while (this.#bodies.length > this.most || (this.#length > RING_BYTES && this.#bodies.length > 1)) {
      this.#length -= this.#bodies.shift()!.at;
      this.lost++;
    }
  }
  /** Removes the first record, which was written with the number of dropped ones before it. */
  drop(): void {
    this.#length -= this.#bodies.shift()!.at;
    this.lost = 0;
  }
}

/** A listener cannot break the journal. Without a listener, Node prints a warning on stderr. */
function teller(onTrouble: JournalStoreOptions['onTrouble']): (trouble: Trouble) => void {
  return (trouble) => {
    try {
      if (onTrouble !== undefined) onTrouble(trouble);
      else if (trouble.kind !== 'over') process.emitWarning(trouble.message, 'AnyhookJournal');
    } catch {
      // the problem stays available as `journal.trouble`
    }
  };
}
