/**
 * Tells what part of a journal was shipped, from the cursors that `anyhook-fleet ship` keeps next to the
 * journals, one file per destination.
 */

import { closeSync, fstatSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openRegular } from './open-regular.ts';

export const SHIPPED = '.shipped';

/**
 * Returns the number of unsent bytes in these files for the destination that is furthest behind; 0 if there
 * is none.
 */
export function unshippedIn(folder: string): (files: readonly string[]) => number {
  const places = cursorsIn(join(folder, SHIPPED));
  return (files) =>
    Math.max(
      0,
      ...places.map((sent) =>
        files.reduce((sum, file) => sum + waiting(file, sent.get(basename(file)) ?? 0), 0),
      ),
    );
}

/** Counts only complete lines, because an unfinished line is never sent. */
function waiting(file: string, from: number): number {
  let fd: number;
  try {
    fd = openRegular(file);
  } catch {
    return 0; // removed
  }
  try {
    const rest = Buffer.alloc(Math.max(0, fstatSync(fd).size - from));
    return rest.subarray(0, readSync(fd, rest, 0, rest.length, from)).lastIndexOf('\n') + 1;
  } finally {
    closeSync(fd);
  }
}

type Sent = ReadonlyMap<string, number>;

function cursorsIn(folder: string): Sent[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => sentIn(join(folder, name)));
}

/** The last line about a file counts. An unreadable line is ignored, so its file counts as unsent. */
function sentIn(file: string): Sent {
  const sent = new Map<string, number>();
  for (const line of textOf(file).split('\n'))
    try {
      const { cursor } = JSON.parse(line) as { cursor?: { file: string; to: number } };
      if (cursor !== undefined) sent.set(cursor.file, cursor.to);
    } catch {
      continue;
    }
  return sent;
}

function textOf(file: string): string {
  let fd: number;
  try {
    fd = openRegular(file);
  } catch {
    return '';
  }
  try {
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}
