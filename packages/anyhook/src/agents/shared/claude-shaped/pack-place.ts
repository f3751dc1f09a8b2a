/** Locations of settings that are part of a plugin or of an added project. */

import { basename, join } from 'node:path';
import type { PackFolder, Place } from '../../../events/dialect.ts';

interface PackPlaceTerms {
  /** Variables in which the agent passes the plugin folder. */
  readonly root: readonly string[];
}

/** Commands of project settings run in the project; commands of a plugin run in the folder of the event. */
export const packPlaceFor =
  ({ root }: PackPlaceTerms) =>
  ({ folder, layer, settings = 'hooks/hooks.json' }: PackFolder): Place => ({
    layer,
    file: join(folder, settings),
    ...(settings.startsWith('.') && !settings.includes('-plugin/') && { folder }),
    plugin: { name: basename(folder), root: folder },
    vars: Object.fromEntries(root.map((name) => [name, folder])),
  });

/**
 * Returns the settings text with the script paths filled in. Project hooks use the project variable for them
 * (`$CLAUDE_PROJECT_DIR/.claude/hooks/guard.sh`). The variable itself still points to the project that the agent works
 * on.
 */
export function withPackPaths(text: string, { plugin, folder, vars = {} }: Place): string {
  if (plugin === undefined) return text;
  const inJson = (path: string) => JSON.stringify(path).slice(1, -1);
  const filled = text
    .replaceAll(PROJECT_SCRIPT, (variable) => (folder === undefined ? variable : inJson(folder)))
    .replaceAll('${/}', '/');
  return Object.entries(vars).reduce(
    (written, [name, value]) => written.replaceAll(`\${${name}}`, () => inJson(value)),
    filled,
  );
}

const PROJECT_SCRIPT =
  /\$(?:\{[A-Z]+_PROJECT_DIR\}|[A-Z]+_PROJECT_DIR\b)(?=(?:\\")?\/\.(?:claude|codex|cursor|gemini|github|qwen)\/)/g;
