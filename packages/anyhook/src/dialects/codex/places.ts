/** Where Codex keeps its hooks. Folders only: nothing is read here. */
import { isAbsolute, join } from 'node:path';
import type { Locations, Place } from '../../canon/dialect.ts';

export function places({ home, cwd, env }: Locations): Place[] {
  const named = env['CODEX_HOME'] ?? '';
  const base = isAbsolute(named) ? named : isAbsolute(home) ? join(home, '.codex') : undefined;
  const user = base === undefined ? [] : [join(base, 'hooks.json')];
  const project = join(cwd, '.codex', 'hooks.json');
  return [
    ...user.map((file): Place => ({ layer: 'user', file })),
    ...(user.includes(project) ? [] : [{ layer: 'project', file: project } satisfies Place]),
  ];
}
