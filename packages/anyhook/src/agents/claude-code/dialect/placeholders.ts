/** `${…}` in settings: variables in the arguments of a program, dot paths into the event in those of an MCP tool. */
import { isPlain } from '../../../events/changes.ts';
import type { Fields } from '../../../events/effects.ts';

const PLACEHOLDER = /\$\{([^{}]+)\}/g;

/** As plain text: nothing in a value is read again. What nobody knows stays as it is written. */
export const substitute = (text: string, vars: Readonly<Record<string, string>>): string =>
  text.replaceAll(PLACEHOLDER, (whole, name: string) => {
    const asked = /^user_config\.(.+)$/.exec(name)?.[1];
    const variable = asked === undefined ? name : optionVariable(asked);
    return Object.hasOwn(vars, variable) ? vars[variable]! : whole;
  });

/** Under which name commands are told what the person answered to a plugin's question. */
export const optionVariable = (key: string): string =>
  `CLAUDE_PLUGIN_OPTION_${key.replaceAll(/\W/g, '_').toUpperCase()}`;

/** PowerShell knows the same variables by another name. */
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
        ? (value as Record<string, unknown>)[key] // own, as just seen
        : undefined,
    document,
  );
const shown = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
