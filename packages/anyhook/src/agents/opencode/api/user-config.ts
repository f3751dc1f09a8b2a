/** Reads the settings that OpenCode would pass to a `config` hook, for other agents. */

import { isAbsolute } from 'node:path';
import { isPlain } from '../../../events/changes.ts';
import { readDocument } from '../../../events/document.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Layer } from '../../../events/hook.ts';
import { textOfFile } from '../../../settings/read-file.ts';
import { places } from '../dialect/places.ts';

interface ConfigTerms {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * The layer of the plugin. Project settings only reach plugins of the project, because they must not configure guards
   * of the user.
   */
  readonly layer: Layer;
}

/** Later files win, as in OpenCode. The settings reader reports unreadable files. */
export function userConfig({ home, cwd, env, layer }: ConfigTerms): Fields {
  const found = places({ home, cwd, env });
  const named = env['OPENCODE_CONFIG'] ?? '';
  const files = [
    ...found.filter((place) => place.layer === 'user').map(({ file }) => file),
    ...(isAbsolute(named) ? [named] : []),
    ...found.filter((place) => place.layer === 'project' && layer === 'project').map(({ file }) => file),
  ];
  const texts = [...files.map(textOfFile), env['OPENCODE_CONFIG_CONTENT']];
  // OpenCode adds these keys if they are missing, and plugins rely on them.
  const base: Fields = { agent: {}, mode: {}, command: {}, plugin: [] };
  return texts.reduce<Fields>((merged, text) => mergeDeep(merged, settingsIn(text)), base);
}

function settingsIn(text: string | undefined): Fields {
  if (text === undefined) return {};
  const { value } = readDocument(text, 'opencode.json');
  return isPlain(value) ? value : {};
}

/** OpenCode concatenates these lists and replaces all others. */
const JOINED: ReadonlySet<string> = new Set(['plugin', 'instructions']);

function mergeDeep(base: Fields, more: Fields): Fields {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(more)) {
    const before = merged[key];
    if (isPlain(before) && isPlain(value)) merged[key] = mergeDeep(before, value);
    else if (JOINED.has(key) && Array.isArray(before) && Array.isArray(value))
      merged[key] = [...new Set([...(before as unknown[]), ...(value as unknown[])])];
    else merged[key] = value;
  }
  return merged;
}
