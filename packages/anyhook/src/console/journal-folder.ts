import { anyhook } from '../agents/anyhook/dialect/index.ts';
import type { Locations } from '../events/dialect.ts';
import { withSafeReaders } from '../events/safe-readers.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { settingsOf } from '../gather/settings-of.ts';
import { loadSettings } from '../settings/load.ts';
import { withPolicyInForce } from '../settings/managed.ts';

/** Path of the journals: from the user's settings, or the default. */
export const journalFolder = (cwd: string | undefined): string =>
  journalFolderOf(locationsOf(cwd === undefined ? {} : { cwd }));

export function journalFolderOf(locations: Locations): string {
  const { settings } = loadSettings([withSafeReaders(anyhook)], withPolicyInForce(locations), [
    'managed',
    'user',
  ]);
  const { journal } = settingsOf(settings, {});
  return (journal === false ? undefined : journal.folder) ?? foldersOf(locations).journal;
}
