/**
 * Removes secrets from everything that is written to the journal, by name, format and value. Never throws.
 */

import type { ByteBuffer } from './byte-buffer.ts';
import { type RedactedJson, RedactingWriter } from './redacting-writer.ts';
import { createScanner } from './scan.ts';
import { assignments } from './secret-assignments.ts';
import { secretCommands } from './secret-commands.ts';
import { formats } from './secret-formats.ts';
import { shapes } from './secret-shapes.ts';
import { type Env, rulesFor, secretsOf } from './secret-values.ts';

export interface KnownSecrets {
  /** The values of variables with a secret-looking name are redacted everywhere. */
  readonly env?: Env;
  /** Further values to redact. */
  readonly secrets?: Iterable<string>;
}

export interface Redactor {
  /** Returns the text without its secrets, not shortened. */
  text(text: string): { readonly text: string; readonly redacted: number };
  /** Returns any value as one line of JSON: redacted, limited in size, each property read once. */
  plain(value: unknown, bound?: number): RedactedJson;
  /** Returns a record for the journal with the numbers of changed values. Valid until the next call. */
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

/** Returns a redacted copy of a value as the journal would store it, and the number of redactions. */
export function redact(
  value: unknown,
  known?: KnownSecrets,
): { readonly value: unknown; readonly redacted: number } {
  const { bytes, redacted } = createRedactor(known).plain(value);
  return { value: JSON.parse(bytes.toString()), redacted };
}
