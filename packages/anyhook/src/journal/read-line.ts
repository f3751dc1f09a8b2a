import { unseal } from './chain.ts';
import { asRecord, type ReadRecord } from './guard.ts';

export type LineEntry =
  | { readonly kind: 'record'; readonly record: ReadRecord }
  | { readonly kind: 'damage'; readonly why: string };

/** One line of a journal, without its newline. */
export function readLine(bytes: Uint8Array): LineEntry {
  const opened = unseal(bytes);
  if (opened.kind === 'unsound') return { kind: 'damage', why: opened.why };
  const record = asRecord(opened.value);
  return record === undefined
    ? { kind: 'damage', why: 'is a sound line but no record of ours' }
    : { kind: 'record', record };
}
