/** What OpenCode's own packages mean inside a plugin that has not installed them: ours. Types and values alike. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownFile } from '../../../own-files.mjs';
import { isPlain } from '../../../events/changes.ts';
import { packageFolder } from './package-folder.ts';

const OURS = ownFile('agents/opencode/api/tools/tool');
const HERE = dirname(OURS);

/** Of OpenCode's packages, and of the spelling its documentation uses. */
const PLUGIN = ['@opencode-ai/plugin', '@opencode/plugin'];
/** Brought along by them there, so that plugins import these without saying that they need them. */
const BROUGHT = ['@opencode-ai/sdk', 'zod'];

/** Import name → file, for a module in `folder`. */
export function aliasesFor(folder: string): Readonly<Record<string, string>> {
  const isMissing = (name: string) => packageFolder(name, folder) === undefined;
  return Object.fromEntries([
    ...PLUGIN.filter(isMissing).flatMap((name) => [[name, OURS] as const, [`${name}/tool`, OURS] as const]),
    ...BROUGHT.filter(isMissing).flatMap(doorsOf),
  ]);
}

/** Every way into one of our own dependencies, read off its `exports`. */
function doorsOf(name: string): readonly (readonly [string, string])[] {
  const folder = packageFolder(name, HERE);
  if (folder === undefined) return [];
  const about: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const exports = isPlain(about) && isPlain(about['exports']) ? about['exports'] : {};
  return Object.entries(exports).flatMap(([key, door]) => {
    const target = isPlain(door) ? (door['import'] ?? door['default']) : door;
    if (typeof target !== 'string' || key.includes('*')) return [];
    const file = join(folder, target);
    return existsSync(file) ? [[`${name}${key.slice(1)}`, file] as const] : [];
  });
}
