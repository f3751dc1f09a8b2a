import { dirname, join } from 'node:path';
import type { Locations } from '../../canon/dialect.ts';
import { foldersOf } from '../../assembly/folders.ts';

/** Below the state folder of the person; one engine for all of their projects. */
export const engineFolder = (locations: Locations): string =>
  join(dirname(foldersOf(locations).journal), 'engine');
