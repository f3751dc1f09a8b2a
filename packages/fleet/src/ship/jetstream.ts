/**
 * Sends records to NATS JetStream exactly once. Each machine has its own subject and sends one chunk at a time with
 * the expected last message, so the server rejects a chunk out of order. If a reply is lost, the same chunk is sent
 * again with the same id, and the server detects the duplicate.
 */

import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import {
  jetstream,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstreamManager,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { readStream } from '../nats/arrivals.ts';
import { openConnection, type ServerOptions } from '../nats/connection.ts';
import { pauses, reasonOf } from '../nats/pauses.ts';
import { HEADER_BYTES, readPiece, writePiece } from '../nats/piece.ts';
import { type Source, subjectOf } from '../nats/subject.ts';
import type { Chunk, Cursor } from './chunk.ts';
import { type Place, type ResumePoint, TooLarge } from './place.ts';

export interface JetStreamOptions extends ServerOptions {
  readonly source: Source;
  readonly signal: AbortSignal;
  readonly say: (message: string) => void;
  /** For tests: disables the expected sequence. */
  readonly unsafe?: 'no-expected-sequence';
}

const CHUNK_BYTES = 512 * 1024;
/** A smaller limit leaves no space for data. */
const LEAST_BYTES = 1024;
const ANSWER_MS = 5000;
const MESSAGE_TOO_LARGE = 10054;

export async function openJetStream(options: JetStreamOptions): Promise<(resumed: ResumePoint) => Place> {
  const connection = await openConnection(
    options,
    `anyhook-fleet ship ${subjectOf(options.source)}`,
    'endless',
  );
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: ANSWER_MS });
  return (resumed) => new JetStreamPlace(connection, manager, options, resumed);
}

class JetStreamPlace implements Place {
  readonly key: string;
  readonly name: string;
  readonly takesHeads = true;
  most: number;
  readonly #connection: NatsConnection;
  readonly #client: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #options: JetStreamOptions;
  readonly #subject: string;
  /** The last message on our subject, as far as known. */
  #expected: number | undefined;
  /** Id of a chunk that the last run may have sent. */
  readonly #pendingId: string | undefined;
  #hasToldOfOthers = false;

  constructor(
    connection: NatsConnection,
    manager: JetStreamManager,
    options: JetStreamOptions,
    resumed: ResumePoint,
  ) {
    this.#connection = connection;
    this.#manager = manager;
    this.#client = jetstream(connection, { timeout: ANSWER_MS });
    this.#options = options;
    this.#subject = subjectOf(options.source);
    this.#expected = resumed.seq;
    this.#pendingId = resumed.pending?.id;
    this.name = `${options.stream} at ${options.server.replaceAll(/\/\/[^@/]*@/g, '//')}`;
    this.key = placeKey(options);
    this.most = Math.max(
      LEAST_BYTES,
      Math.min(CHUNK_BYTES, (connection.info?.max_payload ?? 0) - HEADER_BYTES),
    );
  }

  /** The same bytes at the same offset of the same journal always have the same id. */
  idOf({ kind, file, journal, from, bytes }: Chunk): string {
    const place = `${this.#subject}\0${kind}\0${file}\0${journal}\0${from}\0`;
    return createHash('sha256').update(place).update(bytes).digest('hex').slice(0, 40);
  }

  async *known(): AsyncGenerator<Cursor> {
    if ((await this.#last()) === undefined) return;
    const { stream, source, signal } = this.#options;
    for await (const { piece, bytes } of readStream(this.#connection, { stream, of: source, signal })) {
      const { kind, file, journal, to } = piece;
      const isWithinLine = bytes.at(-1) !== 0x0a;
      if (kind === 'lines') yield { file, journal, to, tail: '', ...(isWithinLine && { isWithinLine }) };
    }
  }

  async send(chunk: Chunk, id: string): Promise<number> {
    const { signal, say } = this.#options;
    const pause = pauses(signal, (why) => say(`${this.name}: ${why}. The journal keeps what waits.`));
    for (;;) {
      signal.throwIfAborted();
      try {
        if (this.#expected === undefined) {
          const last = await this.#last();
          this.#expected = last?.seq ?? 0;
          if (last?.id === id) return last.seq; // Sent by the previous run, which could not record it.
        }
        const seq = await this.#publish(chunk, id, this.#expected);
        pause.over(() => say(`${this.name}: records are taken again.`));
        return (this.#expected = seq);
      } catch (error) {
        if (isCode(error, MESSAGE_TOO_LARGE) || isTooLarge(error)) throw this.#smaller(chunk);
        const found = isWrongLast(error) ? await this.#reconcile(id) : undefined;
        if (found === 'there') return this.#expected!; // Set by `#reconcile`.
        if (found !== 'moved') await pause.after(error);
      }
    }
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #publish(chunk: Chunk, id: string, expected: number): Promise<number> {
    const headers = writePiece({ ...chunk, sentMs: Date.now(), host: hostname() });
    const { seq } = await this.#client.publish(this.#subject, chunk.bytes, {
      headers,
      msgID: id,
      timeout: ANSWER_MS,
      expect: {
        streamName: this.#options.stream,
        ...(this.#options.unsafe === undefined && { lastSubjectSequence: expected }),
      },
    });
    return seq;
  }

  /** The last message differs from the expected one. Checks whether it is this chunk or one of another sender. */
  async #reconcile(id: string): Promise<'there' | 'moved' | undefined> {
    try {
      const last = await this.#last();
      this.#expected = last?.seq ?? 0;
      if (last?.id === id) return 'there';
      if (last !== undefined && last.id !== this.#pendingId) this.#tellOfOthers(last.host);
      return 'moved';
    } catch {
      return undefined; // Retried after a pause.
    }
  }

  #tellOfOthers(host: string): void {
    if (this.#hasToldOfOthers) return;
    this.#hasToldOfOthers = true;
    this.#options.say(
      `${this.#subject}: another machine sends under this name too (${host || 'unknown host'}). Nothing is lost, but their records cannot be told apart: give each machine its own name (--machine).`,
    );
  }

  async #last(): Promise<{ readonly seq: number; readonly id: string; readonly host: string } | undefined> {
    const found = await this.#manager.direct.getMessage(this.#options.stream, {
      last_by_subj: this.#subject,
    });
    if (found === null) return undefined;
    return { seq: found.seq, id: found.header.get('Nats-Msg-Id'), host: readPiece(found.header)?.host ?? '' };
  }

  #smaller(chunk: Chunk): TooLarge {
    this.most = Math.max(LEAST_BYTES, Math.floor(chunk.bytes.length / 2));
    return new TooLarge(this.most);
  }
}

/** The same for the same stream and subject, whichever server is used. */
export const placeKey = ({ stream, source }: Pick<JetStreamOptions, 'stream' | 'source'>): string =>
  `nats-${createHash('sha256')
    .update(`${stream}\0${subjectOf(source)}`)
    .digest('hex')
    .slice(0, 16)}`;

const isCode = (error: unknown, code: number): boolean =>
  error instanceof JetStreamApiError && error.code === code;
const isWrongLast = (error: unknown): boolean =>
  isCode(error, JetStreamApiCodes.StreamWrongLastSequence) ||
  isCode(error, JetStreamApiCodes.StreamWrongLastSequenceUnknown);
/** Raised by the local client before anything was sent. */
const isTooLarge = (error: unknown): boolean => /max_payload/i.test(reasonOf(error));
