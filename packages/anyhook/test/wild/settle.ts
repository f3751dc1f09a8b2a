/** A package where its agent's users put it. */
import { join } from 'node:path';
import { extensionEntries } from '../../src/assembly/foreign-modules/extension-entries.ts';
import { folderIn } from './at-home.ts';
import { settleHooks } from './claude-settings.ts';
import { type Ground, write } from './ground.ts';
import type { WildPackage } from './packages.ts';

export function settle(wild: WildPackage, { home }: Pick<Ground, 'home'>): void {
  const folder = folderIn(wild);
  if (wild.kind === 'opencode')
    write(join(home, '.config/opencode/opencode.json'), JSON.stringify({ plugin: [folder] }));
  else if (wild.kind === 'pi')
    write(join(home, '.pi/agent/settings.json'), JSON.stringify({ packages: [folder] }));
  else if (wild.kind === 'oh-my-pi')
    write(
      join(home, '.omp/agent/extensions/wild/package.json'),
      JSON.stringify({ omp: { extensions: extensionEntries(folder) } }),
    );
  else settleHooks(wild, folder, { home });
}
