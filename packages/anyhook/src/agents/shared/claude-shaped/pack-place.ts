/** Settings of a plugin or of somebody's project that lie in a folder of their own. */
import { basename, join } from 'node:path';
import type { PackFolder, Place } from '../../../events/dialect.ts';

interface PackPlaceTerms {
  /** Variables of the agent that name the plugin's folder. */
  readonly root: readonly string[];
}

/** Commands of a project's settings run where the project's files are; those of a plugin run where the event happens. */
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
 * The text of such a file with the paths of its own scripts filled in. A project's hooks name them below its project variable
 * (`$CLAUDE_PROJECT_DIR/.claude/hooks/guard.sh`); the variable itself still names the project that the agent works on.
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
