import { unseal } from './chain.ts';
import { asRecord, type ReadRecord } from './guard.ts';

export type LineEntry =
  | { readonly kind: 'record'; readonly record: ReadRecord }
  | { readonly kind: 'damage'; readonly why: string };

export interface LinePart {
  readonly entry: LineEntry;
  /** Its bytes in the line. */
  readonly from: number;
  readonly to: number;
}

/** One line of a journal, without its newline: a record, or damage; or both, where a writer was killed in the middle of its line. */
export function readLine(bytes: Uint8Array): readonly LinePart[] {
  const opened = unseal(bytes);
  const to = bytes.length;
  if (opened.kind === 'unsound') return [{ entry: { kind: 'damage', why: opened.why }, from: 0, to }];
  const { from } = opened;
  const record = asRecord(opened.value);
  const entry: LineEntry =
    record === undefined
      ? { kind: 'damage', why: 'is a sound line but no record of ours' }
      : { kind: 'record', record };
  if (from === 0) return [{ entry, from, to }];
  const why = `was not finished (${from} bytes); the next record stands in the same line`;
  return [
    { entry: { kind: 'damage', why }, from: 0, to: from },
    { entry, from, to },
  ];
}
