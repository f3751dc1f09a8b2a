/** Checks the hash chain of the newest sessions, limited to the time a user waits for `doctor`. */

import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { journalFolderOf } from '../../console/journal-folder.ts';
import { foldersOf } from '../../gather/folders.ts';
import { firstPartOf, verify } from '../../journal/index.ts';
import type { DoctorFinding } from '../look/finding.ts';
import type { Inspection } from '../look/inspection.ts';

/** Total read limit, about a third of a second. `anyhook verify` checks everything. */
const READ_BYTES = 10 * 1024 * 1024;

interface SessionFiles {
  /** The first part. */
  readonly file: string;
  /** Size of all parts. */
  bytes: number;
  writtenMs: number;
}

export function journal({ locations }: Pick<Inspection, 'locations'>): DoctorFinding[] {
  const folder = journalFolderOf(locations);
  const { heads } = foldersOf(locations);
  let left = READ_BYTES;
  const unread: SessionFiles[] = [];
  const damaged = sessionsIn(folder).flatMap((session) => {
    if (session.bytes > left) {
      unread.push(session);
      return [];
    }
    left -= session.bytes;
    return damageIn(session.file, join(heads, `${basename(session.file, '.jsonl')}.head`));
  });
  return unread.length === 0 ? damaged : [...damaged, notRead(folder, unread)];
}

function damageIn(file: string, head: string): DoctorFinding[] {
  const [first, ...rest] = verify(file, head).problems;
  if (first === undefined) return [];
  return [
    {
      code: 'journal-damaged',
      severity: 'error',
      file,
      ...(first.line !== undefined && { line: first.line }),
      what: `The journal is damaged: ${first.message}${rest.length === 0 ? '.' : ` (and ${rest.length} more).`}`,
      why: 'Lines were changed, truncated or lost by a crash, a full disk or an edit.',
      remedy: 'If you do not know why, keep a copy of the file. To look: anyhook log',
    },
  ];
}

const notRead = (folder: string, sessions: readonly SessionFiles[]): DoctorFinding => {
  const bytes = sessions.reduce((sum, session) => sum + session.bytes, 0);
  return {
    code: 'journal-unread',
    severity: 'note',
    file: folder,
    what: `${sessions.length === 1 ? 'One session' : `${sessions.length} sessions`} of the journal (${Math.round(bytes / 1e6)} MB) ${sessions.length === 1 ? 'was' : 'were'} not checked.`,
    why: `Only the newest are checked here, up to ${Math.round(READ_BYTES / 1e6)} MB, to keep this fast.`,
    remedy: 'To check all of them: anyhook verify',
  };
};

/** Newest first. */
function sessionsIn(folder: string): SessionFiles[] {
  const found = new Map<string, SessionFiles>();
  for (const name of namesIn(folder)) {
    const status = statSync(join(folder, name), { throwIfNoEntry: false });
    if (status === undefined) continue;
    const file = firstPartOf(join(folder, name));
    const session = found.get(file) ?? { file, bytes: 0, writtenMs: 0 };
    session.bytes += status.size;
    session.writtenMs = Math.max(session.writtenMs, status.mtimeMs);
    found.set(file, session);
  }
  return [...found.values()].toSorted((a, b) => b.writtenMs - a.writtenMs);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  } catch {
    return [];
  }
}
