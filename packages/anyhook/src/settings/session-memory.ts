/** What one session has seen, for programs that live for one event of it: a small file per session. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { diskMark, lookKey } from './disk-record.ts';
import { makeFolder } from './make-folder.ts';
import { writeOwn } from './own-file.ts';
import { textOfFile } from './read-file.ts';

export interface SessionMemory {
  /** How far the record of acts went. */
  readonly acts: number;
  /** By id: what each guard is made of. */
  readonly guards: Readonly<Record<string, unknown>>;
  /** The changes of guards that the user was told of. */
  readonly told?: string;
  /** The person was told of a call that a waiting hook did not see. */
  readonly unasked?: true;
}

/** What was read last: a process that stays for a session asks about one file again and again, which hardly ever changes. */
let last: { readonly file: string; readonly mark: string; readonly memory: SessionMemory | undefined } = {
  file: '',
  mark: '',
  memory: undefined,
};

export function recallSession(folder: string, session: string): SessionMemory | undefined {
  const file = fileOf(folder, session);
  const mark = diskMark(lookKey('file', file));
  if (last.file !== file || last.mark !== mark) last = { file, mark, memory: memoryIn(file) };
  return last.memory;
}

function memoryIn(file: string): SessionMemory | undefined {
  try {
    const { acts, guards, told, unasked } = JSON.parse(textOfFile(file) ?? '') as Partial<SessionMemory>;
    return typeof acts === 'number' && typeof guards === 'object'
      ? { acts, guards, ...(told !== undefined && { told }), ...(unasked === true && { unasked }) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** What cannot be kept is not announced later; it decides nothing. */
export function keepSession(folder: string, session: string, memory: SessionMemory): void {
  const file = fileOf(folder, session);
  try {
    makeFolder(folder);
    if (statSync(file, { throwIfNoEntry: false }) === undefined) sweep(folder);
    writeOwn(file, JSON.stringify(memory));
  } catch {
    // as said above
  }
}

let named = { session: '', name: '' };
function fileOf(folder: string, session: string): string {
  if (named.session !== session || named.name === '')
    named = { session, name: `${createHash('sha256').update(session).digest('hex').slice(0, 32)}.json` };
  return join(folder, named.name);
}

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > KEPT_MS)
      rmSync(file, { force: true });
  }
}
