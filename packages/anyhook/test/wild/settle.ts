/** Packages where their agents' users put them. */

import { join } from 'node:path';
import { extensionEntries } from '../../src/modules/extension-entries.ts';
import { folderIn } from './at-home.ts';
import { settleHooks } from './claude-settings.ts';
import { type Ground, write } from './ground.ts';
import type { WildPackage } from './packages.ts';

type Home = Pick<Ground, 'home'>;

export function settle(all: readonly WildPackage[], ground: Home): void {
  for (const kind of new Set(all.map((wild) => wild.kind)))
    SETTLE[kind](
      all.filter((wild) => wild.kind === kind),
      ground,
    );
}

const SETTLE: Readonly<Record<WildPackage['kind'], (all: readonly WildPackage[], ground: Home) => void>> = {
  opencode: (all, { home }) =>
    write(join(home, '.config/opencode/opencode.json'), JSON.stringify({ plugin: all.map(folderIn) })),
  pi: (all, { home }) =>
    write(join(home, '.pi/agent/settings.json'), JSON.stringify({ packages: all.map(folderIn) })),
  'oh-my-pi': (all, { home }) =>
    write(
      join(home, '.omp/agent/extensions/wild/package.json'),
      JSON.stringify({ omp: { extensions: all.flatMap((wild) => extensionEntries(folderIn(wild))) } }),
    ),
  'claude-code': (all, ground) => all.forEach((wild) => settleHooks(wild, folderIn(wild), ground)),
  'agent-sdk': () => {}, // programs, which nobody loads
};
