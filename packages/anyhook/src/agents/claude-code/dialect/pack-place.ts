/** A plugin that lies where no Claude Code would look: its hooks are told the same of it as there. */
import { basename, dirname, join } from 'node:path';
import type { Locations, PackFolder, Place } from '../../../events/dialect.ts';

export const packPlace = (
  { folder, layer, settings = 'hooks/hooks.json' }: PackFolder,
  { cwd }: Locations,
): Place => ({
  layer,
  file: join(folder, settings),
  ...(settings.startsWith('.claude/') && { folder }),
  plugin: { name: basename(folder), root: folder },
  vars: {
    CLAUDE_PROJECT_DIR: cwd,
    CLAUDE_PLUGIN_ROOT: folder,
    // Beside it: what a plugin keeps is no part of what was added.
    CLAUDE_PLUGIN_DATA: join(dirname(folder), '.data', basename(folder)),
  },
});
