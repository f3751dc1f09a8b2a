import { dirname, join } from 'node:path';
import { foldersOf } from '../../assembly/folders.ts';
import type { Locations } from '../../canon/dialect.ts';

/** What fires write by themselves, and look up anew each time: a change there is no change of settings. */
export function writtenByFires(locations: Locations): (path: string) => boolean {
  const { acts, heads, journal, late, reload, sessions, texts } = foldersOf(locations);
  const state = dirname(journal);
  const own = [
    acts,
    heads,
    journal,
    late,
    reload,
    sessions,
    texts,
    join(state, 'compiled'),
    join(state, 'engine'),
    join(state, 'quick'),
  ];
  return (path) => own.some((place) => path === place || path.startsWith(`${place}/`));
}
