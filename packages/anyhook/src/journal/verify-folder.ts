/** Checks every session of a journal against its head, and every head against its session. */

import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isLaterPart } from './session-parts.ts';
import { type Verification, verify } from './verify.ts';

export interface VerifiedSession extends Verification {
  /** Name of its files without extension. */
  readonly session: string;
  readonly file: string;
}

export function* verifyFolder(folder: string, heads: string): Generator<VerifiedSession> {
  for (const session of namesIn(folder, heads)) {
    const file = join(folder, `${session}.jsonl`);
    yield { session, file, ...verify(file, join(heads, `${session}.head`)) };
  }
}

/** Includes sessions of which only the head, or a later part, is left. */
function namesIn(folder: string, heads: string): string[] {
  const listed = (place: string, ending: string) =>
    existsSync(place) ? readdirSync(place).filter((name) => name.endsWith(ending)) : [];
  const files = listed(folder, '.jsonl').map((name) =>
    isLaterPart(name) ? name.replace(/~~\d+\.jsonl$/, '') : basename(name, '.jsonl'),
  );
  return [
    ...new Set([...files, ...listed(heads, '.head').map((name) => basename(name, '.head'))]),
  ].toSorted();
}
