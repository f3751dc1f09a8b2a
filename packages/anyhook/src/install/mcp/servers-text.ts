/** Servers in a settings file that is somebody else's: all around them stays as it is, or nothing is written. */
import { isDeepStrictEqual } from 'node:util';
import type { McpSettings } from '../../agents/shared/mcp-settings.ts';
import type { Fields } from '../../events/effects.ts';
import { isFields } from '../../events/fields.ts';
import { Unreadable } from '../json-text.ts';
import { json } from './json.ts';
import { toml } from './toml.ts';
import { yaml } from './yaml.ts';

export type Servers = Readonly<Record<string, Fields>>;

export interface ServersFormat {
  /** Throws where it is no such text. */
  parse(text: string): unknown;
  /** `server` in place of what stands there; undefined: it is written in a way that cannot be edited. */
  put(text: string, at: ServerPlace, server: Fields): string | undefined;
}
export interface ServerPlace {
  readonly under: string;
  readonly name: string;
  /** What stands there. */
  readonly before: Fields;
}
const FORMATS: Readonly<Record<McpSettings['format'], ServersFormat>> = { json, toml, yaml };

/** By name. What is no object is left out. */
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

/** Parsers have classes of their own for dates and tables. */
const plain = (value: Fields): Fields => JSON.parse(JSON.stringify(value)) as Fields;
