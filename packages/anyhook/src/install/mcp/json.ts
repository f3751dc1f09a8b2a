import { isDeepStrictEqual } from 'node:util';
import { parseTree, type ParseError, parse } from 'jsonc-parser';
import { editedJson } from '../json-edit.ts';
import type { ServersFormat } from './servers-text.ts';

/** Field by field, so that comments within a server stay too. */
export const json: ServersFormat = {
  parse(text) {
    const faults: ParseError[] = [];
    const body = text.replace(/^\uFEFF/, '');
    const value: unknown = parse(body.trim() === '' ? '{}' : body, faults, { allowTrailingComma: true });
    if (faults.length > 0) throw new Error(`it is no JSON (at character ${faults[0]!.offset})`);
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
