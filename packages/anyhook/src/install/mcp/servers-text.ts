/** Edits servers in another program's settings file. Everything around them is preserved, or nothing is written. */

import { isDeepStrictEqual } from 'node:util';
import { parseTree, type ParseError, parse } from 'jsonc-parser';
import { isMap, type Pair, parseDocument, stringify } from 'yaml';
import type { McpSettings } from '../../agents/shared/mcp-settings.ts';
import type { Fields } from '../../events/effects.ts';
import { isFields } from '../../events/fields.ts';
import { editedJson } from '../json-edit.ts';
import { Unreadable } from '../json-text.ts';
import { toml } from './toml.ts';

/** Rewrites only the lines of the server: the library would reformat the whole file. */
const yaml: ServersFormat = {
  parse(text) {
    const document = parseDocument(text);
    if (document.errors.length > 0) throw document.errors[0]!;
    return document.toJS() ?? {};
  },
  put(text, { under, name }, server) {
    const servers = parseDocument(text).get(under);
    if (!isMap(servers) || servers.flow === true) return undefined;
    const pair = servers.items.find(({ key }: Pair) => String(key) === name);
    const [value, key] = [pair?.value, pair?.key] as [Ranged | undefined, Ranged | undefined];
    if (!isMap(value) || value.flow === true || !key?.range || !value.range) return undefined;
    const start = text.lastIndexOf('\n', value.range[0] - 1) + 1;
    const indent = text.slice(start, value.range[0]);
    if (indent.trim() !== '') return undefined; // the value starts on the line of its key
    const lines = stringify(server, { lineWidth: 0 }).trimEnd().split('\n');
    const ends = /\n?$/.exec(text.slice(value.range[0], value.range[1]))![0];
    return `${text.slice(0, start)}${lines.map((line) => (line === '' ? '' : indent + line)).join('\n')}${ends}${text.slice(value.range[1])}`;
  },
};

interface Ranged {
  readonly range?: readonly [number, number, number] | null;
}

/** Edits field by field, so that comments within a server stay. */
const json: ServersFormat = {
  parse(text) {
    const faults: ParseError[] = [];
    const body = text.replace(/^\uFEFF/, '');
    const value: unknown = parse(body.trim() === '' ? '{}' : body, faults, { allowTrailingComma: true });
    if (faults.length > 0) throw new Error(`it is not JSON (at character ${faults[0]!.offset})`);
    return value;
  },
  put(text, { under, name, before }, server) {
    let after = text;
    for (const key of Object.keys(before))
      if (!Object.hasOwn(server, key)) after = editedJson(after, [under, name, key], undefined);
    for (const [key, value] of Object.entries(server))
      if (!isDeepStrictEqual(value, before[key])) after = editedJson(after, [under, name, key], value);
    return parseTree(after) === undefined ? undefined : after;
  },
};

export type Servers = Readonly<Record<string, Fields>>;

export interface ServersFormat {
  /** Throws if the text is invalid. */
  parse(text: string): unknown;
  /** Replaces a server with `server`. Returns undefined if the text is written in a way that cannot be edited. */
  put(text: string, at: ServerPlace, server: Fields): string | undefined;
}
export interface ServerPlace {
  readonly under: string;
  readonly name: string;
  /** The server as it is in the file. */
  readonly before: Fields;
}
const FORMATS: Readonly<Record<McpSettings['format'], ServersFormat>> = { json, toml, yaml };

/** Servers by name. Values that are not objects are omitted. */
export function serversNamed(text: string, { format, under }: McpSettings, file: string): Servers {
  const servers = parsed(text, format, file)[under] ?? {};
  if (!isFields(servers)) throw new Unreadable(`${file}: "${under}" holds no servers by name.`);
  return Object.fromEntries(
    Object.entries(servers).flatMap(([name, server]) => (isFields(server) ? [[name, server]] : [])),
  );
}

export function withServers(text: string, settings: McpSettings, changed: Servers, file: string): string {
  const { format, under } = settings;
  const [all, before] = [parsed(text, format, file), serversNamed(text, settings, file)];
  let after: string | undefined = text;
  for (const [name, server] of Object.entries(changed))
    after &&= FORMATS[format].put(after, { under, name, before: plain(before[name] ?? {}) }, plain(server));
  const expected = { ...all, [under]: { ...(all[under] as Fields | undefined), ...changed } };
  if (after === undefined || !isDeepStrictEqual(plain(parsed(after, format, file)), plain(expected)))
    throw new Unreadable(`${file} is written in a way that cannot be edited safely; it is left as it is.`);
  return after;
}

function parsed(text: string, format: McpSettings['format'], file: string): Fields {
  let value: unknown;
  try {
    value = FORMATS[format].parse(text);
  } catch (error) {
    throw new Unreadable(`${file} cannot be read: ${(error as Error).message.split('\n')[0]}`);
  }
  if (!isFields(value)) throw new Unreadable(`${file} holds no settings by name.`);
  return value;
}

/** Parsers have their own classes for dates and tables. */
const plain = (value: Fields): Fields => JSON.parse(JSON.stringify(value)) as Fields;
