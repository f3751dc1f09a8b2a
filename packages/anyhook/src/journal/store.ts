/**
 * The journal of one session. Writing is synchronous and never throws. A record is acknowledged once it is
 * written.
 */

import { join } from 'node:path';
import { fileNameOf } from '../events/session-file.ts';
import { Appender } from './appender.ts';
import type { ByteBuffer } from './byte-buffer.ts';
import { describeValue } from './describe-value.ts';
import type { Draft } from './record.ts';
import { createRedactor, type Redactor } from './redact.ts';
import { removeOld, type Retention, UNSHIPPED } from './retention.ts';
import type { Env } from './secret-values.ts';
import { PART_BYTES } from './session-parts.ts';

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

export const openJournal = (options: JournalStoreOptions): Journal => new SessionJournal(options);

class SessionJournal implements Journal {
  readonly file: string;
  readonly head: string;
  readonly #options: JournalStoreOptions;
  readonly #waiting: Waiting;
  readonly #appender: Appender;
  readonly #report: (trouble: Trouble) => void;
  /** Created for the first record, so that a session without hooks does not pay for it. */
  #redactor: Redactor | undefined;
  #trouble: Trouble | undefined;
  #isHeadReported = false;
  #isTidy: boolean;

  constructor(options: JournalStoreOptions) {
    this.#options = options;
    this.file = options.file ?? journalFileOf(options.folder, options.session);
    this.head = headFileOf(options.heads, options.session);
    this.#waiting = new Waiting(options.ring ?? RING);
    this.#report = reporterFor(options.onTrouble);
    this.#isTidy = options.keep === undefined;
    const { partBytes = PART_BYTES } = options;
    this.#appender = new Appender(
      { file: this.file, head: this.head, named: options.file !== undefined, partBytes },
      (error) => this.#headFailed(error),
    );
  }

  get trouble(): Trouble | undefined {
    return this.#trouble;
  }

  write(record: Draft): WriteResult {
    this.#redactor ??= createRedactor(this.#options);
    const body = this.#redactor.record(record);
    const waiting = this.#waiting;
    let isWaiting = false;
    try {
      let seq: number;
      if (waiting.size === 0) seq = this.#appender.append(body, waiting.lost);
      else {
        waiting.add(body);
        isWaiting = true;
        seq = this.#flush();
      }
      this.#tidy();
      return { ok: true, written: true, seq };
    } catch (error) {
      if (!isWaiting) waiting.add(body);
      return { ok: this.#options.required !== true, written: false, why: this.#failed(error) };
    }
  }

  close(): void {
    try {
      this.#flush();
    } catch (error) {
      this.#failed(error);
    }
    this.#appender.close();
  }

  /** Writes in order: waiting records first. */
  #flush(): number {
    const waiting = this.#waiting;
    let seq = 0;
    for (let body = waiting.first(); body !== undefined; body = waiting.first()) {
      seq = this.#appender.append(body, waiting.lost);
      waiting.drop();
    }
    const trouble = this.#trouble;
    if (trouble !== undefined)
      this.#report({
        kind: 'over',
        message: `${this.file}: writing works again.`,
        waiting: 0,
        lost: trouble.lost,
      });
    this.#trouble = undefined;
    return seq;
  }

  #failed(error: unknown): string {
    const message = `${this.file}: cannot write the journal: ${describeValue(error)}. Free disk space or fix the folder; until then up to ${this.#waiting.most} records wait in memory.`;
    const isNew = this.#trouble === undefined;
    this.#trouble = this.#troubleOf('not-written', message);
    if (isNew) this.#report(this.#trouble);
    return message;
  }

  #headFailed(error: unknown): void {
    if (this.#isHeadReported) return;
    this.#isHeadReported = true;
    const message = `${this.head}: cannot write the journal head: ${describeValue(error)}. A truncated journal would not be detected.`;
    this.#report(this.#troubleOf('no-head', message));
  }

  /** Runs once, after the first record, when both folders exist. */
  #tidy(): void {
    if (this.#isTidy) return;
    this.#isTidy = true;
    const { folder, keep = {}, session } = this.#options;
    try {
      const removed = removeOld(this.#options, keep, { session: fileNameOf(session), atMs: Date.now() });
      const unshipped = removed.filter(({ unshippedBytes }) => unshippedBytes > 0);
      if (unshipped.length === 0) return;
      const names = unshipped.map((one) => one.session).join(', ');
      const message = `${folder}: removed ${unshipped.length} old journals before they were shipped (${names}), because they were older than ${UNSHIPPED.days} days or larger than ${UNSHIPPED.bytes / 1e9} GB in all. Check that anyhook-fleet ship runs.`;
      this.#report(this.#troubleOf('not-shipped', message));
    } catch (error) {
      const message = `${folder}: cannot remove old journals: ${describeValue(error)}.`;
      this.#report(this.#troubleOf('not-removed', message));
    }
  }

  #troubleOf(kind: Trouble['kind'], message: string): Trouble {
    return { kind, message, waiting: this.#waiting.size, lost: this.#waiting.lost };
  }
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
function reporterFor(onTrouble: JournalStoreOptions['onTrouble']): (trouble: Trouble) => void {
  return (trouble) => {
    try {
      if (onTrouble !== undefined) onTrouble(trouble);
      else if (trouble.kind !== 'over') process.emitWarning(trouble.message, 'AnyhookJournal');
    } catch {
      // the problem stays available as `journal.trouble`
    }
  };
}
