import { journalFolderOf } from '../console/journal-folder.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';

export interface JournalPlaces {
  /** One file per session. */
  readonly folder: string;
  /** The heads of the hash chains. */
  readonly heads: string;
}

/** From the user's settings. Reads nothing of a project. */
export function journalPlaces(options: { readonly home?: string } = {}): JournalPlaces {
  const locations = locationsOf(options);
  return { folder: journalFolderOf(locations), heads: foldersOf(locations).heads };
}
