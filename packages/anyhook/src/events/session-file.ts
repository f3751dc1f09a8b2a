import { createHash } from 'node:crypto';

/** Names that are devices on Windows, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/;
/** Lower case only: where a disk folds case, `A` and `a` are one file. */
const PLAIN = /^[a-z0-9][a-z0-9._-]{0,79}$/;

/**
 * A session's id as a file name. An id that is one already stays; any other is told apart by a hash after a `~`, which
 * no plain id holds, so that two sessions never share a file.
 */
export function fileNameOf(session: string): string {
  if (PLAIN.test(session) && !session.endsWith('.') && !DEVICE.test(session)) return session;
  const slug = session
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 48);
  return `s${slug}~${createHash('sha256').update(session, 'utf16le').digest('hex').slice(0, 24)}`;
}
