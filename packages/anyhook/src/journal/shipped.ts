/** What of a journal has gone out, by the cursors that `anyhook-fleet ship` keeps beside the journals: a file per place. */
import { closeSync, fstatSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openRegular } from './open-regular.ts';

export const SHIPPED = '.shipped';

/** How many bytes of these files have not been sent yet, to the place that is furthest behind; 0 where nothing is shipped. */
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

/** Only whole lines count: one that its writer never finished is not sent either. */
function waiting(file: string, from: number): number {
  let fd: number;
  try {
    fd = openRegular(file);
  } catch {
    return 0; // gone
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

/** Of several lines about one file the last counts. An unreadable line is passed over: its file counts as not sent so far. */
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
