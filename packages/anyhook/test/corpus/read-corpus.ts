/** Reads a corpus with one JSON document per line. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const corpus = <T>(file: string): readonly T[] =>
  readFileSync(join(import.meta.dirname, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

/** A form that deletes `~/victim`, and the programs that it needs besides bash and coreutils. */
export interface Deleting {
  readonly form: string;
  readonly kind: string;
  readonly needs?: readonly string[];
}
/** A command from a real project, with its source. */
export interface Everyday {
  readonly command: string;
  readonly source: string;
}
export interface Dangerous {
  readonly command: string;
  readonly dangerous: boolean;
}
