/** Where Gemini CLI keeps its hooks. Folders only: nothing is read here. */
import { isAbsolute, join } from 'node:path';
import type { Locations, Place } from '../../canon/dialect.ts';

export function places({ home, cwd }: Locations): Place[] {
  const user = isAbsolute(home) ? [join(home, '.gemini', 'settings.json')] : [];
  const project = join(cwd, '.gemini', 'settings.json');
  return [
    ...user.map((file): Place => ({ layer: 'user', file })),
    ...(user.includes(project) ? [] : [{ layer: 'project', file: project } satisfies Place]),
  ];
}
