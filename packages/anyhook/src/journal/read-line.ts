import { unseal } from './chain.ts';
import { asRecord, type ReadRecord } from './guard.ts';

export type LineEntry =
  | { readonly kind: 'record'; readonly record: ReadRecord }
  | { readonly kind: 'damage'; readonly why: string };

export interface LinePart {
  readonly entry: LineEntry;
  /** Byte range in the line. */
  readonly from: number;
  readonly to: number;
}

/**
 * Reads one line of a journal, without its newline: a record, damage, or both if a writer was killed in the
 * middle of its line.
 */
export function readLine(bytes: Uint8Array): readonly LinePart[] {
  const opened = unseal(bytes);
  const to = bytes.length;
  if (opened.kind === 'unsound') return [{ entry: { kind: 'damage', why: opened.why }, from: 0, to }];
  const { from } = opened;
  const record = asRecord(opened.value);
  const entry: LineEntry =
    record === undefined
      ? { kind: 'damage', why: 'is an intact line but not a journal record' }
      : { kind: 'record', record };
  if (from === 0) return [{ entry, from, to }];
  const why = `was not finished (${from} bytes); the next record is in the same line`;
  return [
    { entry: { kind: 'damage', why }, from: 0, to: from },
    { entry, from, to },
  ];
}
