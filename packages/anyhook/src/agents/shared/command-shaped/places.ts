import { isAbsolute, join } from 'node:path';
import type { Place } from '../../../events/dialect.ts';

/** One user file and one project file. In the home folder they may be the same file. */
export const userAndProject = (user: string, project: string): Place[] => [
  ...(isAbsolute(user) ? [{ layer: 'user', file: user } satisfies Place] : []),
  ...(user === project ? [] : [{ layer: 'project', file: project } satisfies Place]),
];

/** All `.json` files of a user folder and of a project folder. */
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
