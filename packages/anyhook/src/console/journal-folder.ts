import { anyhook } from '../agents/anyhook/dialect/index.ts';
import type { Locations } from '../events/dialect.ts';
import { withSafeReaders } from '../events/safe-readers.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { type EngineSettings, settingsOf } from '../gather/settings-of.ts';
import { loadSettings } from '../settings/load.ts';
import { withPolicyInForce } from '../settings/managed.ts';

/** Path of the journals: from the user's settings, or the default. */
export const journalFolder = (cwd: string | undefined): string =>
  journalFolderOf(locationsOf(cwd === undefined ? {} : { cwd }));

export function journalFolderOf(locations: Locations): string {
  const { journal } = ownersSettings(locations);
  return (journal === false ? undefined : journal.folder) ?? foldersOf(locations).journal;
}

/** Names and public keys of those who may answer for hooks of the administrator. */
export const signersOf = (locations: Locations): Readonly<Record<string, string>> =>
  ownersSettings(locations).approvals.signers;

/** From the files of the administrator and the user, outside every project. */
function ownersSettings(locations: Locations): EngineSettings {
  const dialects = [withSafeReaders(anyhook)];
  const { settings } = loadSettings(dialects, withPolicyInForce(locations), ['managed', 'user']);
  return settingsOf(settings, {});
}
