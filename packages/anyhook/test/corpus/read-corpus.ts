/** The lines of a corpus: one JSON document each, so that the next case is one more line. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const corpus = <T>(file: string): readonly T[] =>
  readFileSync(join(import.meta.dirname, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

/** A form that deletes `~/victim`, and the programs that it needs beside bash and coreutils. */
export interface Deleting {
  readonly form: string;
  readonly kind: string;
  readonly needs?: readonly string[];
}
/** A command from a real project, and where it stands. */
export interface Everyday {
  readonly command: string;
  readonly source: string;
}
export interface Dangerous {
  readonly command: string;
  readonly dangerous: boolean;
}
