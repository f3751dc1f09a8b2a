import type { Locations } from '../../canon/dialect.ts';
import { anyhook } from '../../dialects/anyhook/index.ts';
import { loadSettings } from '../../settings/load.ts';
import { withPolicyInForce } from '../../settings/managed.ts';
import { withSafeReaders } from '../../canon/safe-readers.ts';
import { foldersOf, locationsOf } from '../../assembly/folders.ts';
import { settingsOf } from '../../assembly/settings-of.ts';

/** Where the journals are: what our own settings say, or the usual place. */
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
