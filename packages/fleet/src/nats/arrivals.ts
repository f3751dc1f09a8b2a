/** Reads the messages of the stream in order: of all senders, one machine or one user. */

import { DeliverPolicy, jetstream, type JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type Piece, readPiece } from './piece.ts';
import { type Source, sourceOf, subjectsOf } from './subject.ts';

export interface StreamQuery {
  readonly stream: string;
  readonly of?: Partial<Source>;
  /** Skips messages that arrived earlier, by the clock of the server. */
  readonly sinceMs?: number;
  /** Waits for new messages at the end of the stream. */
  readonly isFollowed?: boolean;
  readonly signal?: AbortSignal;
}

export interface Arrival {
  readonly piece: Piece;
  readonly bytes: Uint8Array;
  readonly source: Source;
  /** Sequence number in the stream, and of the previous message of this subject as the sender knew it. */
  readonly seq: number;
  readonly follows: number | undefined;
  readonly arrivedMs: number;
}

export async function* readStream(
  connection: NatsConnection,
  { stream, of = {}, sinceMs, isFollowed, signal }: StreamQuery,
): AsyncGenerator<Arrival> {
  const consumer = await jetstream(connection).consumers.get(stream, {
    filter_subjects: subjectsOf(of),
    ...(sinceMs === undefined
      ? { deliver_policy: DeliverPolicy.All }
      : { deliver_policy: DeliverPolicy.StartTime, opt_start_time: new Date(sinceMs).toISOString() }),
  });
  const { num_pending: waiting } = await consumer.info();
  if (waiting === 0 && isFollowed !== true) return;
  const messages = await consumer.consume({ max_messages: 256 });
  const stop = () => messages.stop();
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  try {
    for await (const message of messages) {
      const arrival = arrivalOf(message);
      if (arrival !== undefined) yield arrival;
      if (isFollowed !== true && message.info.pending === 0) return;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    messages.stop();
  }
}

function arrivalOf({ subject, headers, data, info, seq, timestampNanos }: JsMsg): Arrival | undefined {
  const piece = readPiece(headers);
  if (piece === undefined) return undefined;
  const follows = headers?.get('Nats-Expected-Last-Subject-Sequence') ?? '';
  return {
    piece,
    bytes: data,
    source: sourceOf(subject),
    seq: info.streamSequence ?? seq,
    follows: follows === '' ? undefined : Number(follows),
    arrivedMs: Number(timestampNanos / 1_000_000n),
  };
}
