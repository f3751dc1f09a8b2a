/** Content that settings trust by its hash: the person's own or the organisation's. What others can write is nobody's word. */
import { statSync } from 'node:fs';
import type { Problem } from '../events/problems.ts';
import type { LoadedSettings } from '../settings/load.ts';

export interface TrustedByName {
  readonly hashes: readonly string[];
  readonly problems: readonly Problem[];
}

export function trustedByName(settings: LoadedSettings['settings']): TrustedByName {
  const said = settings.flatMap(({ layer, file, values }) => {
    const hashes = (values['trusted'] ?? []) as readonly string[];
    return hashes.length > 0 && (layer === 'user' || layer === 'managed')
      ? [{ file, hashes, why: whyNotTheirs(file) }]
      : [];
  });
  return {
    hashes: said.flatMap(({ hashes, why }) => (why === undefined ? hashes : [])),
    problems: said.flatMap(({ file, why }) => (why === undefined ? [] : [notTaken(file, why)])),
  };
}

/** A group's right to write is left out: where everybody has a group of their own, it is the usual mode. */
function whyNotTheirs(file: string): string | undefined {
  if (process.platform === 'win32') return undefined; // its access lists are not looked at
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined) return undefined; // settings that a program hands over are in no file
  if ((status.mode & 0o002) !== 0) return 'everybody can write it';
  return status.uid === 0 || status.uid === process.getuid?.() ? undefined : 'it belongs to somebody else';
}

const notTaken = (file: string, why: string): Problem => ({
  code: 'not-trusted',
  file,
  key: 'trusted',
  message: `is not taken for your word: ${why}. What it trusts waits.`,
  remedy: `chmod go-w ${file}, and see that it is yours.`,
  severity: 'error',
});
