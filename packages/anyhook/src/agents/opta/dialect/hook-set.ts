import { join } from 'node:path';
import type { HookSet } from '../../../events/dialect.ts';

export const optaHookSet: HookSet = {
  into: ({ cwd }) => join(cwd, '.opta'),
  parts: { '.': '.' },
  next: ['anyhook test .opta/hooks', 'anyhook trust add'],
};
