import { isMap, type Pair, parseDocument, stringify } from 'yaml';
import type { ServersFormat } from './servers-text.ts';

/** Only the lines of the server are written anew: the library would set the whole file in its own way. */
export const yaml: ServersFormat = {
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
    if (indent.trim() !== '') return undefined; // it begins on the line of its name
    const lines = stringify(server, { lineWidth: 0 }).trimEnd().split('\n');
    const ends = /\n?$/.exec(text.slice(value.range[0], value.range[1]))![0];
    return `${text.slice(0, start)}${lines.map((line) => (line === '' ? '' : indent + line)).join('\n')}${ends}${text.slice(value.range[1])}`;
  },
};

interface Ranged {
  readonly range?: readonly [number, number, number] | null;
}
