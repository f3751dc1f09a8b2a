/** Encodes a chunk as a message: the payload has the bytes, the headers have the file and offset. */

import { headers, type MsgHdrs } from '@nats-io/transport-node';

export interface Piece {
  readonly kind: 'lines' | 'head';
  readonly file: string;
  readonly journal: string;
  readonly from: number;
  readonly to: number;
  readonly isWithinLine: boolean;
  /** By the clock of the sending machine. */
  readonly sentMs: number;
  /** The name that the machine uses for itself. */
  readonly host: string;
}

const FIELDS = {
  kind: 'Anyhook-Kind',
  file: 'Anyhook-File',
  journal: 'Anyhook-Journal',
  from: 'Anyhook-From',
  to: 'Anyhook-To',
  within: 'Anyhook-Within-Line',
  sent: 'Anyhook-Sent',
  host: 'Anyhook-Host',
} as const;

/** Maximum size of the headers of one message. */
export const HEADER_BYTES = 2048;

export function writePiece(piece: Piece): MsgHdrs {
  const written = headers();
  written.set(FIELDS.kind, piece.kind);
  written.set(FIELDS.file, encodeURIComponent(piece.file));
  written.set(FIELDS.journal, piece.journal);
  written.set(FIELDS.from, String(piece.from));
  written.set(FIELDS.to, String(piece.to));
  if (piece.isWithinLine) written.set(FIELDS.within, '1');
  written.set(FIELDS.sent, new Date(piece.sentMs).toISOString());
  written.set(FIELDS.host, encodeURIComponent(piece.host).slice(0, 256));
  return written;
}

/** Undefined if it is not a message of ours. */
export function readPiece(found: MsgHdrs | undefined): Piece | undefined {
  if (found === undefined) return undefined;
  const kind = found.get(FIELDS.kind);
  const [file, host] = [decoded(found.get(FIELDS.file)), decoded(found.get(FIELDS.host))];
  const [from, to] = [Number(found.get(FIELDS.from)), Number(found.get(FIELDS.to))];
  if ((kind !== 'lines' && kind !== 'head') || !/^[^/\\\0]+$/.test(file) || !(from >= 0 && to > from))
    return undefined;
  return {
    kind,
    file,
    journal: found.get(FIELDS.journal),
    from,
    to,
    isWithinLine: found.get(FIELDS.within) === '1',
    sentMs: Date.parse(found.get(FIELDS.sent)),
    host,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
