/**
 * Adds, replaces or removes one value in the text of a JSON file without changing any other character. Added values go last and
 * can be removed without a trace.
 */

import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

export type SplicePath = readonly (string | number)[];
const BOM = '\uFEFF';

/** `undefined` removes the value. An index one past the end of a list adds an item. */
export function splice(text: string, path: SplicePath, to: unknown): string {
  const mark = text.startsWith(BOM) ? BOM : '';
  const body = text.slice(mark.length);
  const root = parseTree(body, [], { allowTrailingComma: true });
  if (root === undefined) return `${mark}{\n  ${property(path, to)}\n}\n`;
  const node = findNodeAtLocation(root, [...path]);
  if (to === undefined) return mark + (node === undefined ? body : without(body, node));
  if (node !== undefined) return mark + cut(body, node.offset, node.offset + node.length, written(to));
  const depth = path.findLastIndex((_, at) => findNodeAtLocation(root, path.slice(0, at)) !== undefined);
  const around = findNodeAtLocation(root, path.slice(0, depth)) ?? root;
  const item = around.type === 'array' ? written(to) : property(path.slice(depth), to);
  return mark + withLast(body, around, item);
}

const cut = (text: string, from: number, until: number, put = ''): string =>
  text.slice(0, from) + put + text.slice(until);
const endOf = ({ offset, length }: Node): number => offset + length;

function withLast(text: string, around: Node, item: string): string {
  const [first, last] = [around.children?.[0], around.children?.at(-1)];
  if (first === undefined || last === undefined) return cut(text, around.offset + 1, around.offset + 1, item);
  const before = text.slice(around.offset + 1, first.offset);
  const [, line] = /((?:\r\n|\n|\r)[ \t]*)$/.exec(before) ?? [];
  return cut(text, endOf(last), endOf(last), `,${line ?? ' '}${item}`);
}

function without(text: string, node: Node): string {
  const part = node.parent?.type === 'property' ? node.parent : node;
  const parts = part.parent?.children ?? [];
  const at = parts.indexOf(part);
  const [before, after] = [parts[at - 1], parts[at + 1]];
  if (after !== undefined) return cut(text, part.offset, after.offset);
  return cut(text, before === undefined ? part.offset : endOf(before), endOf(part));
}

/** `"a": { "b": value }` for a path that does not exist yet. */
function property([key, ...rest]: SplicePath, to: unknown): string {
  const value = rest.reduceRight<unknown>((inner, step) => ({ [step]: inner }), to);
  return `${JSON.stringify(String(key))}: ${written(value)}`;
}

/** On one line. Newlines inside strings are escaped, so every other newline is layout. */
const written = (value: unknown): string => JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
