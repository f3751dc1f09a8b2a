/**
 * Adds, replaces or removes one value in the text of another program's JSON file. Comments stay beside their values, and
 * removing what was added last restores the text exactly.
 */

import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

export type EditPath = readonly (string | number)[];
const BOM = '\uFEFF';

/** `undefined` removes the value. An index one past the end of a list adds an item. Missing containers are created. */
export function editedJson(text: string, path: EditPath, value: unknown): string {
  const mark = text.startsWith(BOM) ? BOM : '';
  const body = text.slice(mark.length);
  const form = formOf(body);
  if (body.trim() === '') return `${mark}${changed('{}', path, value, form)}${form.eol}`;
  return mark + changed(body, path, value, form);
}

function changed(text: string, path: EditPath, value: unknown, form: Form): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) return text;
  const node = findNodeAtLocation(root, [...path]);
  if (value === undefined) return node === undefined ? text : without(text, node);
  if (node !== undefined)
    return cut(text, node.offset, endOf(node), written(value, layoutAt(text, node, form)));
  const depth = path.findLastIndex((_, at) => findNodeAtLocation(root, path.slice(0, at)) !== undefined);
  const around = findNodeAtLocation(root, path.slice(0, depth)) ?? root;
  return withLast(text, around, { key: path[depth]!, value: nested(path.slice(depth + 1), value) }, form);
}

const nested = (path: EditPath, value: unknown): unknown =>
  path.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);

/** Formatting of the file: indentation of one level, and line ends. */
interface Form {
  readonly unit: string;
  readonly eol: string;
}
/** From the first indented line; two spaces if there is none. */
const formOf = (text: string): Form => ({
  unit: /^([ \t]+)["[{]/m.exec(text)?.[1]?.replace(/^\t+/, '\t') ?? '  ',
  eol: text.includes('\r\n') ? '\r\n' : '\n',
});
/** How a value is laid out: over lines, or on the line of its container, with or without blanks. */
type Layout = (Form & { readonly indent: string }) | 'spaced' | 'dense';

function layoutIn(text: string, around: Node, indent: string, form: Form): Layout {
  const content = text.slice(around.offset, endOf(around));
  if ((around.children ?? []).length === 0 || content.includes('\n')) return { ...form, indent };
  return content.includes('": ') ? 'spaced' : 'dense';
}

function layoutAt(text: string, node: Node, form: Form): Layout {
  const around = node.parent?.type === 'property' ? node.parent.parent : node.parent;
  return around === undefined
    ? { ...form, indent: '' }
    : layoutIn(text, around, indentAt(text, node.offset), form);
}
const indentAt = (text: string, offset: number): string =>
  /[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))![0];

function written(value: unknown, layout: Layout): string {
  if (layout === 'dense') return JSON.stringify(value);
  if (layout === 'spaced') return JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  return JSON.stringify(value, null, layout.unit).replaceAll('\n', `${layout.eol}${layout.indent}`);
}

function withLast(
  text: string,
  around: Node,
  { key, value }: { readonly key: string | number; readonly value: unknown },
  form: Form,
): string {
  const last = around.children?.at(-1);
  const inside = last === undefined ? around.offset + 1 : endOf(last);
  const closing = endOf(around) - 1;
  const beside = tokensIn(text, inside, closing);
  const comma = beside.find(({ kind }) => kind === 'comma');
  const end = beside.at(-1)?.end ?? inside;
  const indent = `${indentAt(text, around.offset)}${form.unit}`;
  const layout = layoutIn(text, around, indent, form);
  const named =
    around.type === 'array' ? '' : `${JSON.stringify(String(key))}:${layout === 'dense' ? '' : ' '}`;
  const item = `${named}${written(value, layout)}${comma === undefined ? '' : ','}`;
  const line = layout === 'dense' ? '' : layout === 'spaced' ? ' ' : `${form.eol}${indent}`;
  const isBare = last === undefined && !text.slice(end, closing).includes('\n');
  const below = isBare ? `${form.eol}${indentAt(text, around.offset)}` : '';
  const after = cut(text, end, isBare ? closing : end, `${line}${item}${below}`);
  return last === undefined || comma !== undefined ? after : cut(after, inside, inside, ',');
}

/** Removes the separating comma as well. Of an empty list or object only the brackets stay. */
function without(text: string, node: Node): string {
  const part = node.parent?.type === 'property' ? node.parent : node;
  const around = part.parent!; // a path leads below the root
  const parts = around.children ?? [];
  const at = parts.indexOf(part);
  const [before, after] = [parts[at - 1], parts[at + 1]];
  const closing = endOf(around) - 1;
  const start = text.slice(0, part.offset).trimEnd().length;
  const behind = tokensIn(text, endOf(part), after?.offset ?? closing).find(({ kind }) => kind === 'comma');
  const ahead = before && tokensIn(text, endOf(before), part.offset).find(({ kind }) => kind === 'comma');
  const isAfterLineComment = tokensIn(text, before ? endOf(before) : around.offset + 1, part.offset).some(
    ({ kind, end }) => kind === 'line' && end === start,
  );
  const rest =
    behind === undefined ? text.slice(endOf(part)) : cut(text, behind.start, behind.end).slice(endOf(part));
  const hold = isAfterLineComment && !/^[ \t]*(?:\r?\n|$)/.test(rest) ? '\n' : '';
  const head = text.slice(0, start);
  const trimmedHead = behind === undefined && ahead !== undefined ? cut(head, ahead.start, ahead.end) : head;
  const left = `${trimmedHead}${hold}${rest}`;
  return parts.length > 1 ? left : emptied(left, around.offset);
}

/** Text between the brackets that open there; empty if only blanks. */
const emptied = (text: string, open: number): string =>
  text.slice(0, open) + text.slice(open).replace(/^([{[])\s+(?=[}\]])/, '$1');

/** Commas and comments between two values. */
function tokensIn(text: string, from: number, until: number) {
  return [...text.slice(from, until).matchAll(/(,)|(\/\/[^\r\n]*)|\/\*[^]*?\*\//g)].map(
    ({ 0: said, 1: comma, 2: line, index }) => ({
      kind: comma ? ('comma' as const) : line ? ('line' as const) : ('block' as const),
      start: from + index,
      end: from + index + said.length,
    }),
  );
}

const cut = (text: string, from: number, until: number, put = ''): string =>
  text.slice(0, from) + put + text.slice(until);
const endOf = ({ offset, length }: Node): number => offset + length;
