import { createHash } from 'node:crypto';

/** Device names on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/;
/** Lower case only, because `A` and `a` are the same file on some disks. */
const PLAIN = /^[a-z0-9][a-z0-9._-]{0,79}$/;

/**
 * Returns a file name for a session id. A safe id stays unchanged. Any other id gets a `~` and a hash, which
 * no safe id contains, so that two sessions never share a file.
 */
export function fileNameOf(session: string): string {
  if (PLAIN.test(session) && !session.endsWith('.') && !DEVICE.test(session)) return session;
  const slug = session
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 48);
  return `s${slug}~${createHash('sha256').update(session, 'utf16le').digest('hex').slice(0, 24)}`;
}
