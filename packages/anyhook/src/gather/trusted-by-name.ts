/** Reads hashes that the user's or the organisation's settings trust. Files that other users can write are ignored. */

import { statSync } from 'node:fs';
import type { Problem } from '../events/problems.ts';
import type { LoadedSettings } from '../settings/load.ts';

export interface TrustedByName {
  readonly hashes: readonly string[];
  readonly problems: readonly Problem[];
}

export function trustedByName(settings: LoadedSettings['settings']): TrustedByName {
  const lists = settings.flatMap(({ layer, file, values }) => {
    const hashes = (values['trusted'] ?? []) as readonly string[];
    return hashes.length > 0 && (layer === 'user' || layer === 'managed')
      ? [{ file, hashes, why: whyNotTheirs(file) }]
      : [];
  });
  return {
    hashes: lists.flatMap(({ hashes, why }) => (why === undefined ? hashes : [])),
    problems: lists.flatMap(({ file, why }) => (why === undefined ? [] : [notTaken(file, why)])),
  };
}

/** Group write access is ignored: on systems with one group per user it is the default mode. */
function whyNotTheirs(file: string): string | undefined {
  if (process.platform === 'win32') return undefined; // access control lists are not checked
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined) return undefined; // settings passed by a program have no file
  if ((status.mode & 0o002) !== 0) return 'every user can write to it';
  return status.uid === 0 || status.uid === process.getuid?.() ? undefined : 'another user owns it';
}

const notTaken = (file: string, why: string): Problem => ({
  code: 'not-trusted',
  file,
  key: 'trusted',
  message: `is ignored: ${why}. What it lists waits for trust.`,
  remedy: `chmod go-w ${file}, and check that you own it.`,
  severity: 'error',
});
