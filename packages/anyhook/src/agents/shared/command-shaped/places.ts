import { isAbsolute, join } from 'node:path';
import type { Place } from '../../../events/dialect.ts';

/** One file of the user and one of the project; in the home folder they may be the same. */
export const userAndProject = (user: string, project: string): Place[] => [
  ...(isAbsolute(user) ? [{ layer: 'user', file: user } satisfies Place] : []),
  ...(user === project ? [] : [{ layer: 'project', file: project } satisfies Place]),
];

/** Every `.json` of a folder of the user's and of one of the project's. */
export const jsonFilesIn = (
  folders: { readonly user: string; readonly project: string },
  list: (folder: string) => readonly string[] = () => [],
): Place[] =>
  (['user', 'project'] as const).flatMap((layer) =>
    isAbsolute(folders[layer]) && !(layer === 'project' && folders.project === folders.user)
      ? list(folders[layer])
          .filter((name) => name.endsWith('.json'))
          .toSorted()
          .map((name): Place => ({ layer, file: join(folders[layer], name) }))
      : [],
  );
