import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'smol-toml';
import type { Fields } from '../../events/effects.ts';
import { isFields } from '../../events/fields.ts';
import type { ServersFormat } from './servers-text.ts';

const HEADER = /^\s*\[/;

/** Edits a server's own table line by line, because no library edits TOML in place. */
export const toml: ServersFormat = {
  parse,
  put(text, { under, name, before }, server) {
    const lines = text.split('\n');
    const start = lines.findIndex((line) => isTable(line, under, name));
    if (start === -1) return undefined;
    let end = lines.findIndex((line, i) => i > start && HEADER.test(line));
    if (end === -1) end = lines.length;
    let body = lines.slice(start + 1, end);
    for (const key of new Set([...Object.keys(before), ...Object.keys(server)])) {
      if (isDeepStrictEqual(before[key], server[key])) continue;
      const made = server[key] === undefined ? [] : [assignment(key, server[key])];
      const place = placeOf(body, key);
      if (place === undefined && before[key] !== undefined) return undefined; // in a table of its own, or nested
      body = place === undefined ? [...made, ...body] : body.toSpliced(place.at, place.count, ...made);
    }
    return [...lines.slice(0, start + 1), ...body, ...lines.slice(end)].join('\n');
  },
};

function isTable(line: string, under: string, name: string): boolean {
  if (!HEADER.test(line)) return false;
  try {
    const servers = parse(line)[under];
    return (
      isFields(servers) &&
      Object.keys(servers).length === 1 &&
      isFields(servers[name]) &&
      Object.keys(servers[name]).length === 0
    );
  } catch {
    return false;
  }
}

/** The lines of a key's assignment. */
function placeOf(
  lines: readonly string[],
  key: string,
): { readonly at: number; readonly count: number } | undefined {
  for (let at = 0; at < lines.length; at++)
    for (let count = 1; count <= lines.length - at; count++) {
      const value = read(lines.slice(at, at + count).join('\n'));
      if (value === undefined) continue; // the value continues
      if (Object.hasOwn(value, key)) return { at, count };
      at += count - 1;
      break;
    }
  return undefined;
}

function read(text: string): Fields | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** An assignment on one line, whatever the value. */
function assignment(key: string, value: unknown): string {
  if (!isFields(value)) return stringify({ [key]: value }).trim();
  const inner = Object.entries(value).map(([name, one]) => stringify({ [name]: one }).trim());
  return `${stringify({ [key]: '' })
    .split('=')[0]!
    .trim()} = { ${inner.join(', ')} }`;
}
