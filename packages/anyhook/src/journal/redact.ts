/** Takes secrets out of whatever goes to the journal: by name, by looks and by value. Never throws. */
import type { ByteBuffer } from './byte-buffer.ts';
import { type RedactedJson, RedactingWriter } from './redacting-writer.ts';
import { createScanner } from './scan.ts';
import { assignments } from './secret-assignments.ts';
import { secretCommands } from './secret-commands.ts';
import { formats } from './secret-formats.ts';
import { shapes } from './secret-shapes.ts';
import { type Env, rulesFor, secretsOf } from './secret-values.ts';

export interface KnownSecrets {
  /** Values of variables whose name looks secret are secrets wherever they turn up. */
  readonly env?: Env;
  /** Further values that must not be written. */
  readonly secrets?: Iterable<string>;
}

export interface Redactor {
  /** A text without its secrets, otherwise whole. */
  text(text: string): { readonly text: string; readonly redacted: number };
  /** Any value as the bytes of one JSON value on one line: redacted, bounded, each property read once. */
  plain(value: unknown, bound?: number): RedactedJson;
  /** A record for the journal, with the number of places that are not as they were. Valid until the next one. */
  record(value: object): ByteBuffer;
}

export function createRedactor(known: KnownSecrets = {}): Redactor {
  const values = rulesFor([...secretsOf(known.env ?? {}), ...(known.secrets ?? [])]);
  const scanner = createScanner([
    ...values,
    ...shapes(),
    ...formats(),
    ...secretCommands(),
    ...assignments(),
  ]);
  const writer = new RedactingWriter(scanner);
  return {
    text: (text) => scanner.strip(text),
    plain: (value, bound) => writer.plain(value, bound),
    record: (value) => writer.record(value),
  };
}

/** A redacted copy of any value, as the journal would hold it, and how many places were taken out. */
export function redact(
  value: unknown,
  known?: KnownSecrets,
): { readonly value: unknown; readonly redacted: number } {
  const { bytes, redacted } = createRedactor(known).plain(value);
  return { value: JSON.parse(bytes.toString()), redacted };
}
