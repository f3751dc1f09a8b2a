/** Finds the plugins that a module exports, in all formats of OpenCode. */

import { isFields } from '../../../events/fields.ts';
import { describeThrown } from '../../../runners/module/thrown.mjs';
import type { Plugin } from './types/index.ts';

export interface ExportedPlugin {
  /** The name of the export. */
  readonly name: string;
  readonly start: Plugin;
  readonly id?: string;
}
export type ExportsRead = { readonly plugins: readonly ExportedPlugin[] } | { readonly fault: string };

/**
 * If the default export is an object `{ id, server }`, only that is used. Otherwise every export is a plugin: a
 * function or such an object. A function that is exported twice counts once. Any other export invalidates the module.
 */
export function exportsOf(exports: unknown, source: 'path' | 'package'): ExportsRead {
  if (typeof exports === 'function') return { plugins: [{ name: 'default', start: exports as Plugin }] };
  if (!isFields(exports)) return { fault: 'the module exports nothing' };
  try {
    return isFields(exports['default']) && looksLikeModule(exports['default'])
      ? only(readModule('default', exports['default'], source))
      : all(exports, source);
  } catch (error) {
    return { fault: `its exports cannot be read: ${describeThrown(error).message}` };
  }
}

type ExportRead = ExportedPlugin | { readonly fault: string };

const only = (read: ExportRead): ExportsRead => ('fault' in read ? read : { plugins: [read] });

function all(exports: Readonly<Record<string, unknown>>, source: 'path' | 'package'): ExportsRead {
  const plugins = new Map<unknown, ExportedPlugin>();
  for (const [name, value] of Object.entries(exports)) {
    if (value === exports) continue; // the default export of CommonJS
    const read: ExportRead =
      typeof value === 'function'
        ? { name, start: value as Plugin }
        : isFields(value) && looksLikeModule(value)
          ? readModule(name, value, source)
          : { fault: `the export ${JSON.stringify(name)} is not a plugin but ${kindOf(value)}` };
    if ('fault' in read) return read;
    if (!plugins.has(read.start)) plugins.set(read.start, read);
  }
  return plugins.size === 0 ? { fault: 'the module exports nothing' } : { plugins: [...plugins.values()] };
}

function readModule(
  name: string,
  value: Readonly<Record<string, unknown>>,
  source: 'path' | 'package',
): ExportRead {
  const { id, server, tui } = value;
  const subject = `the export ${JSON.stringify(name)}`;
  if (server !== undefined && tui !== undefined)
    return { fault: `${subject} has both server() and tui(); a plugin is one of the two` };
  if (tui !== undefined)
    return { fault: `${subject} is for OpenCode's own terminal only: it has no server()` };
  if (typeof server !== 'function')
    return { fault: `${subject} needs a function as server, not ${kindOf(server)}` };
  if (id !== undefined && (typeof id !== 'string' || id.trim() === ''))
    return { fault: `${subject} needs a string as id, not ${id === '' ? 'an empty one' : kindOf(id)}` };
  if (id === undefined && source === 'path')
    return { fault: `${subject} needs an id: a plugin of this form in a file must have one` };
  const start = server as Plugin;
  return id === undefined ? { name, start } : { name, start, id: id.trim() };
}

const looksLikeModule = (value: object): boolean => 'server' in value || 'tui' in value || 'id' in value;
const kindOf = (value: unknown): string =>
  value === undefined ? 'nothing' : value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
