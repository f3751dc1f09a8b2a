import { foldersOf, locationsOf } from '../gather/folders.ts';
import { journalFolderOf } from '../console/journal-folder.ts';

export interface JournalPlaces {
  /** A file per session. */
  readonly folder: string;
  /** The heads of their chains. */
  readonly heads: string;
}

/** As this user's settings have it; nothing of a project is read. */
export function journalPlaces(options: { readonly home?: string } = {}): JournalPlaces {
  const locations = locationsOf(options);
  return { folder: journalFolderOf(locations), heads: foldersOf(locations).heads };
}
