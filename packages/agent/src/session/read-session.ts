/** Reads a session file. A torn last line, as a crash leaves it, is reported and set aside. */

import { readFileSync } from 'node:fs';
import { type Entry, type Header, isKnown, VERSION } from './entry.ts';

/** Not a valid session file. The message has the file, the line and a remedy. */
export class UnreadableSession extends Error {
  override readonly name = 'UnreadableSession';
}

export interface ReadSession {
  readonly header: Header;
  readonly entries: readonly Entry[];
  /** The torn last line, and the length of the valid part in bytes. */
  readonly torn?: { readonly line: number; readonly text: Buffer; readonly soundBytes: number };
  /** Complete lines that are not valid entries. They stay in the file. */
  readonly skipped: readonly { readonly line: number; readonly why: string }[];
}

export function readSession(file: string): ReadSession {
  const bytes = bytesOf(file);
  const lines = linesOf(bytes);
  const [first] = lines;
  if (first === undefined || !first.isWhole)
    throw new UnreadableSession(
      `${file}:1: is not a session: it is empty or its first line is cut off. Remove it, or take it from a backup.`,
    );
  const header = headerOf(first.bytes, file);
  const entries: Entry[] = [];
  const skipped: { line: number; why: string }[] = [];
  let torn: ReadSession['torn'];
  for (const { bytes: line, number, start, isWhole } of lines.slice(1)) {
    const read = isWhole ? entryOf(line) : 'cut off';
    if (typeof read !== 'string') entries.push(read);
    else if (isWhole) skipped.push({ line: number, why: read });
    else torn = { line: number, text: line, soundBytes: start };
  }
  return { header, entries: inTree(entries, skipped), ...(torn && { torn }), skipped };
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : message;
    throw new UnreadableSession(`${file}: ${why}. Start a new session, or name another file.`, {
      cause: error,
    });
  }
}

interface Line {
  readonly bytes: Buffer;
  readonly number: number;
  readonly start: number;
  /** Whether the line ends with a line break. */
  readonly isWhole: boolean;
}
function linesOf(bytes: Buffer): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0x0a, start);
    const stop = end === -1 ? bytes.length : end;
    lines.push({ bytes: bytes.subarray(start, stop), number: lines.length + 1, start, isWhole: end !== -1 });
    start = stop + 1;
  }
  return lines;
}

function headerOf(line: Buffer, file: string): Header {
  const fields = objectIn(line);
  if (typeof fields === 'string')
    throw new UnreadableSession(`${file}:1: ${fields}. A session file begins with its header.`);
  if (fields['type'] !== 'session' || typeof fields['id'] !== 'string' || typeof fields['cwd'] !== 'string')
    throw new UnreadableSession(
      `${file}:1: the first line is not a session header. This is not a session file of this agent.`,
    );
  if (fields['version'] !== VERSION)
    throw new UnreadableSession(
      `${file}:1: was written in version ${JSON.stringify(fields['version'])} of the format, this program reads ${VERSION}. Use the program that wrote it.`,
    );
  return fields as unknown as Header;
}

function entryOf(line: Buffer): Entry | string {
  const fields = objectIn(line);
  if (typeof fields === 'string') return fields;
  const { id, parentId, type } = fields;
  if (typeof id !== 'string' || typeof type !== 'string') return 'has no id or no type';
  if (parentId !== null && typeof parentId !== 'string') return 'has no parentId';
  return fields as unknown as Entry;
}

function objectIn(line: Buffer): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
    return 'is not a JSON object';
  } catch (error) {
    return `is not JSON (${(error as Error).message})`;
  }
}

/** Attaches children of a damaged line to the line before it, so that the branch continues. */
function inTree(entries: readonly Entry[], skipped: { line: number; why: string }[]): Entry[] {
  const known = new Set<string>();
  let before: string | null = null;
  return entries.map((entry) => {
    const isLost = entry.parentId !== null && !known.has(entry.parentId);
    const placed: Entry = isLost ? { ...entry, parentId: before } : entry;
    if (isLost)
      skipped.push({
        line: 0,
        why: `entry ${entry.id} hung on ${entry.parentId}, which is not there; it follows ${before ?? 'the start'} now`,
      });
    if (!isKnown(entry))
      skipped.push({
        line: 0,
        why: `entry ${(entry as Entry).id} is of an unknown kind; it is kept and not shown to the model`,
      });
    known.add(entry.id);
    before = entry.id;
    return placed;
  });
}
