/** What background hooks said, as files: one per text, in a folder per session, for whichever program fires its next event. */
import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isFields } from '../../canon/fields.ts';
import type { Ruling } from '../../canon/outcome.ts';
import { fileNameOf } from '../../canon/session-file.ts';
import { makeFolder } from '../../settings/make-folder.ts';
import { readOwn, writeOwn } from '../../settings/own-file.ts';

export type LateText = Ruling['said'][number];

/** A session that nobody goes on with: after this its texts are taken away. */
const KEPT_MS = 7 * 24 * 60 * 60_000;

export interface LateWords {
  /** Is there a text of any session? */
  any(): boolean;
  leave(session: string, key: string, texts: readonly LateText[]): void;
  /** Each is handed out once, also when several programs ask at once. */
  take(session: string, fits: (text: LateText) => boolean): LateText[];
}

export function lateWordsIn(folder: string): LateWords {
  const of = (session: string) => join(folder, fileNameOf(session));
  return {
    any: () => namesIn(folder).length > 0,
    leave(session, key, texts) {
      sweep(folder);
      const place = of(session);
      try {
        makeFolder(place);
      } catch {
        return; // a disk that takes nothing: the journal says so
      }
      // Names sort by time, then by place: they are told in the order in which they were said.
      const at = String(Date.now()).padStart(15, '0');
      for (const [i, text] of texts.entries())
        writeOwn(join(place, `${at}-${key}-${String(i).padStart(3, '0')}.json`), JSON.stringify(text));
    },
    take(session, fits) {
      const place = of(session);
      const taken = namesIn(place).flatMap((name) => {
        const file = join(place, name);
        const text = textIn(file);
        if (text !== undefined && !fits(text)) return [];
        try {
          rmSync(file);
        } catch {
          return []; // somebody else was quicker
        }
        return text === undefined ? [] : [text];
      });
      if (taken.length > 0) removeEmpty(place);
      return taken;
    },
  };
}

function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return []; // as for most events: an error would cost more than the look
  try {
    return readdirSync(folder)
      .filter((name) => !name.endsWith('.tmp'))
      .toSorted();
  } catch {
    return [];
  }
}

function textIn(file: string): LateText | undefined {
  try {
    const value: unknown = JSON.parse(readOwn(file)?.toString('utf8') ?? '');
    if (!isFields(value)) return undefined;
    const { by, to, text } = value;
    if (typeof by !== 'string' || typeof text !== 'string' || (to !== 'model' && to !== 'person'))
      return undefined;
    return { by, to, text };
  } catch {
    return undefined;
  }
}

function sweep(folder: string): void {
  for (const name of namesIn(folder)) {
    const place = join(folder, name);
    const writtenMs = statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - writtenMs > KEPT_MS) rmSync(place, { recursive: true, force: true });
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // something is left in it
  }
}
