/** Decides which project files count. Only the user's own files can enable or disable project hooks. */

import type { Place, FileSettings } from '../../../events/dialect.ts';
import type { Problem } from '../../../events/problems.ts';
import { sortOf } from './places.ts';

export const GATE = 'allow_project_hooks';

export function admitGooseFile(place: Place, files: readonly FileSettings[]): boolean | Problem {
  const plugin = place.plugin;
  if (plugin !== undefined && isOff(plugin.name, place, files)) return false;
  if (place.layer !== 'project' || sortOf(place) === 'settings') return true;
  const gate = files.find((one) => sortOf(one.place) === 'global' && one.place.layer === 'user');
  const opened = gate?.settings[GATE];
  // Current Goose has no gate and runs plugins of a project. A user who closed the gate means those too.
  if (opened === true || (plugin !== undefined && opened !== false)) return true;
  return {
    code: 'not-trusted',
    file: place.file,
    message: `contains hooks, but project hooks are off: "${GATE}" is not true in the global hooks.json.`,
    remedy: `To run them, write "${GATE}": true in ~/.config/goose/hooks.json.`,
    severity: 'warning',
  };
}

/**
 * Local settings override project settings, which override user settings. Project settings never disable plugins that
 * the user installed.
 */
function isOff(name: string, place: Place, files: readonly FileSettings[]): boolean {
  const speakers = files.filter(
    (one) => sortOf(one.place) === 'settings' && (one.place.layer === 'user' || place.layer === 'project'),
  );
  const nearestFirst = [
    ...speakers.filter((one) => one.place.layer === 'project'),
    ...speakers.filter((one) => one.place.layer === 'user'),
  ];
  for (const { settings } of nearestFirst) {
    if (listed(settings['disabledPlugins'], name)) return true;
    if (listed(settings['enabledPlugins'], name)) return false;
  }
  return false;
}

const listed = (names: unknown, name: string): boolean => Array.isArray(names) && names.includes(name);
