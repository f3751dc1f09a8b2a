/**
 * Follows the journals of a folder and sends new records to one destination. Each chunk is recorded before the next is
 * sent.
 */

import { watch, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalPlaces } from 'anyhook/journal';
import { reasonOf } from '../nats/pauses.ts';
import { type Chunk, type Cursor, JournalFile } from './chunk.ts';
import { Cursors } from './cursors.ts';
import { HeadChunks } from './head-chunks.ts';
import { type Place, type ResumePoint, TooLarge } from './place.ts';

/** Journal files of a folder, sorted by name. A missing folder has none. */
function journalsIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
      .map(({ name }) => name)
      .toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The head file of the session that a file or a later part of it belongs to. */
const headOf = (name: string): string => name.replace(/(?:~~\d+)?\.jsonl$/, '.head');

export interface ShipOptions {
  readonly places: JournalPlaces;
  readonly key: string;
  readonly open: (resumed: ResumePoint) => Place;
  readonly signal: AbortSignal;
  readonly say: (message: string) => void;
  /** Stops after all existing records are sent. */
  readonly isOnce?: boolean;
  readonly onSent?: (chunk: Chunk) => void;
}

/** Polling interval, for systems that do not report file changes. */
const LOOK_EVERY_MS = 2000;
/** Changes within this time are handled together. */
const SETTLE_MS = 50;

export async function shipJournals(options: ShipOptions): Promise<void> {
  const cursors = new Cursors(options.places.folder, options.key);
  const place = options.open({ seq: cursors.seq, pending: cursors.pending, state: cursors.state });
  const shipment = new Shipment(options, cursors, place);
  try {
    await shipment.recover();
    await shipment.finishPending();
    for (;;) {
      // Start watching before reading, so that no change is missed. With `isOnce` there is nothing to wait for.
      const seen = options.isOnce === true ? undefined : changed(options.places.folder, options.signal);
      await shipment.sendNews();
      if (seen === undefined) return;
      await seen;
      options.signal.throwIfAborted();
    }
  } catch (error) {
    if (!options.signal.aborted) throw error;
  } finally {
    cursors.close();
    await place.close();
  }
}

class Shipment {
  readonly #options: ShipOptions;
  readonly #cursors: Cursors;
  readonly #place: Place;
  readonly #heads: HeadChunks;
  readonly #reported = new Set<string>();

  constructor(options: ShipOptions, cursors: Cursors, place: Place) {
    this.#options = options;
    this.#cursors = cursors;
    this.#place = place;
    this.#heads = new HeadChunks(options.places.heads, cursors);
  }

  /** Without cursors, asks the destination what it has of these journals. */
  async recover(): Promise<void> {
    if (!this.#cursors.isNew || this.#place.known === undefined) return;
    try {
      for await (const cursor of this.#place.known()) this.#cursors.done(cursor, undefined);
    } catch (error) {
      this.#options.signal.throwIfAborted();
      this.#tell(
        `what was sent before is not known here, and ${this.#place.name} does not say (${reasonOf(error)}): all that is there is sent.`,
      );
    }
  }

  /** Sends the pending chunk of the last run again. Heads are read anew anyway. */
  async finishPending(): Promise<void> {
    const { pending } = this.#cursors;
    if (pending === undefined || pending.kind === 'head') return;
    const file = opened(this.#options.places.folder, pending.file);
    if (file === undefined) return this.#tell(`${pending.file}: is gone before it was sent to its end.`);
    try {
      const bytes = file.bytes(pending.from, pending.to);
      const chunk = { ...pending, bytes };
      if (this.#place.idOf(chunk) !== pending.id) return; // The file was rewritten since; the main loop handles it.
      await this.#send(chunk, file.cursor(pending.journal, pending.to));
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error; // The main loop sends it in smaller chunks.
    } finally {
      file.close();
    }
  }

  async sendNews(): Promise<void> {
    for (const name of journalsIn(this.#options.places.folder)) {
      this.#options.signal.throwIfAborted();
      const file = opened(this.#options.places.folder, name);
      if (file === undefined) continue; // The file was removed in the meantime.
      try {
        await this.#sendFile(file);
      } finally {
        file.close();
      }
    }
    this.#cursors.save();
  }

  async #sendFile(file: JournalFile): Promise<void> {
    const from = this.#startOf(file);
    if (from === undefined || from.to >= file.size) return;
    // Read the head before the lines, so that it never refers to unsent records.
    const head = this.#place.takesHeads ? this.#heads.look(headOf(file.name)) : undefined;
    file.look();
    for (let cursor = from; ;) {
      const chunk = file.next(cursor, this.#place.most);
      if (chunk === undefined) break;
      const isPiece = chunk.bytes.at(-1) !== 0x0a;
      if (isPiece)
        this.#tell(
          `${file.name}: a record is larger than ${this.#place.name} takes at once (${this.#place.most} bytes): it is cut, and goes in pieces.`,
        );
      const next = file.cursor(chunk.journal, chunk.to);
      if (await this.#sent(chunk, next)) cursor = next;
    }
    for (const { chunk, cursor } of head?.chunks(this.#place.most) ?? []) await this.#sent(chunk, cursor);
  }

  /** Where to continue. Undefined if nothing of this file should be sent. */
  #startOf(file: JournalFile): Cursor | undefined {
    const known = this.#cursors.get(file.name);
    if (known !== undefined && known.to === file.size && file.tail(known.to) === known.tail) return known;
    const journal = file.journal();
    if (journal === undefined) return undefined;
    const other = this.#cursors.nameOf(journal);
    if (other !== undefined && other !== file.name) {
      this.#tell(`${file.name}: is a copy of ${other}, which goes out already; it is not sent.`);
      return undefined;
    }
    if (known?.journal !== journal) return file.cursor(journal, 0);
    if (known.to > file.size) {
      this.#tell(`${file.name}: is shorter than what was sent of it. What is written from now on is sent.`);
      const shortened = file.cursor(journal, file.size);
      this.#cursors.done(shortened, undefined);
      return shortened;
    }
    if (known.tail === '' || file.tail(known.to) === known.tail) return known;
    this.#tell(`${file.name}: was rewritten after it was sent. It is sent again from its beginning.`);
    return file.cursor(journal, 0);
  }

  /** Returns false if the chunk was too large and must be split. */
  async #sent(chunk: Chunk, cursor: Cursor): Promise<boolean> {
    try {
      await this.#send(chunk, cursor);
      return true;
    } catch (error) {
      if (error instanceof TooLarge && error.most < chunk.bytes.length) return false;
      throw error;
    }
  }

  async #send(chunk: Chunk, cursor: Cursor): Promise<void> {
    const id = this.#place.idOf(chunk);
    const { bytes: _, ...pending } = chunk;
    this.#cursors.begin({ ...pending, id });
    const seq = await this.#place.send(chunk, id);
    this.#cursors.done(cursor, seq, this.#place.state);
    this.#options.onSent?.(chunk);
  }

  /** Reports each message once. */
  #tell(message: string): void {
    if (this.#reported.has(message)) return;
    this.#reported.add(message);
    this.#options.say(message);
  }
}

function opened(folder: string, name: string): JournalFile | undefined {
  try {
    return new JournalFile(folder, name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ELOOP') return undefined;
    throw new Error(`${join(folder, name)} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Resolves soon after the first change in the folder, and at the latest after the polling interval. */
function changed(folder: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let timer = setTimeout(done, LOOK_EVERY_MS);
    const watcher = watching(folder, () => {
      clearTimeout(timer);
      timer = setTimeout(done, SETTLE_MS);
    });
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      watcher?.close();
      resolve();
    }
  });
}

function watching(folder: string, onChange: () => void): ReturnType<typeof watch> | undefined {
  try {
    return watch(folder, onChange).on('error', () => undefined);
  } catch {
    return undefined; // Polling still works.
  }
}
