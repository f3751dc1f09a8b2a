/** Expands `${…}` in settings: variables in program arguments, and dot paths into the event in MCP tool arguments. */

import { isPlain } from '../../../events/changes.ts';
import type { Fields } from '../../../events/effects.ts';

const PLACEHOLDER = /\$\{([^{}]+)\}/g;

/** Inserts values as plain text without expanding them again. Unknown placeholders stay as written. */
export const substitute = (text: string, vars: Readonly<Record<string, string>>): string =>
  text.replaceAll(PLACEHOLDER, (whole, name: string) => {
    const asked = /^user_config\.(.+)$/.exec(name)?.[1];
    const variable = asked === undefined ? name : optionVariable(asked);
    return Object.hasOwn(vars, variable) ? vars[variable]! : whole;
  });

/** Returns the variable for the user's answer to a plugin question. */
export const optionVariable = (key: string): string =>
  `CLAUDE_PLUGIN_OPTION_${key.replaceAll(/\W/g, '_').toUpperCase()}`;

/** PowerShell uses another syntax for the same variables. */
export const forPowerShell = (line: string): string =>
  line.replaceAll(/\$\{(CLAUDE_[A-Z_]+)\}/g, (_, name: string) => `\${env:${name}}`);

export function fillPlaceholders(input: Fields, document: Fields): Fields {
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, filled(value, document)]));
}

function filled(value: unknown, document: Fields): unknown {
  if (typeof value === 'string')
    return value.replaceAll(PLACEHOLDER, (_, path: string) => shown(at(document, path.trim())));
  if (Array.isArray(value)) return value.map((item) => filled(item, document));
  return isPlain(value) ? fillPlaceholders(value, document) : value;
}

const at = (document: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key] // an own property, as checked above
        : undefined,
    document,
  );
const shown = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
