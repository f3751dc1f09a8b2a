import { join } from 'node:path';
import type { HookSet } from '../../../events/dialect.ts';

export const gooseHookSet: HookSet = {
  into: ({ home }) => join(home, '.config', 'goose'),
  parts: { config: '.', hooks: 'hooks' },
  next: ['anyhook test ~/.config/goose/hooks', 'anyhook doctor'],
};
