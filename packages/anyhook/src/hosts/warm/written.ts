import { dirname, join } from 'node:path';
import { foldersOf } from '../../assembly/folders.ts';
import { filesNamed } from '../../assembly/scripts-named.ts';
import type { Locations } from '../../canon/dialect.ts';
import type { Hook } from '../../canon/hook.ts';

/** What fires write by themselves, and look up anew each time: a change there is no change of settings. */
export function writtenByFires(locations: Locations): (path: string) => boolean {
  const { acts, heads, journal, reload, sessions, texts } = foldersOf(locations);
  const state = dirname(journal);
  const own = [
    acts,
    heads,
    journal,
    reload,
    sessions,
    texts,
    join(state, 'compiled'),
    join(state, 'engine'),
    join(state, 'quick'),
  ];
  return (path) => own.some((place) => path === place || path.startsWith(`${place}/`));
}

/** Files behind a `>` of a command: logs, mostly. */
export const writtenByHooks = (hooks: readonly Hook[], locations: Locations): string[] =>
  hooks.flatMap((hook) =>
    filesNamed(hook, locations).flatMap(({ path, isWritten }) => (isWritten ? [path] : [])),
  );
