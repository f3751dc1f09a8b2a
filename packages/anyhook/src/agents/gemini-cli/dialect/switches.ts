/** `hooksConfig`: all hooks off, or some by name. A project can switch off only its own. */
import type { FileSettings } from '../../../events/dialect.ts';
import { type Hook, label } from '../../../events/hook.ts';
import type { Problem } from '../../../events/problems.ts';

function settle(hook: Hook, said: readonly FileSettings[]): { hook?: Hook; problem?: Problem } {
  const isOff = said.some(({ place, settings }) => {
    if (place.layer === 'project' && hook.origin.layer !== 'project') return false;
    const { disabled } = settings;
    return (
      settings['enabled'] === false ||
      (Array.isArray(disabled) &&
        disabled.some((name) => name === hook.extra?.['name'] || name === hook.label))
    );
  });
  if (!isOff) return { hook };
  const { file, line } = hook.origin;
  const message = 'does not run: hooksConfig switches it off.';
  return { problem: { code: 'not-loaded', file, line, message, severity: 'warning' } };
}

export const switches = {
  settings: 'hooksConfig',
  list: ['hooksConfig', 'disabled'],
  nameOf: (hook: Hook) => String(hook.extra?.['name'] ?? label(hook)),
  settle,
};
