/** Finds a hook's entry again in the text of its file, by line and column. */

import { findNodeAtLocation, getNodePath, getNodeValue, type Node, parseTree } from 'jsonc-parser';
import { readDocument } from '../events/document.ts';
import type { Origin } from '../events/hook.ts';

export interface EntryAt {
  readonly path: readonly (string | number)[];
  readonly value: Readonly<Record<string, unknown>>;
  /** Line and column of a key's value, or of the entry if the key is missing. */
  at(key: string): { readonly line: number; readonly column: number };
  /** The object around the list that contains it. */
  group(): Readonly<Record<string, unknown>> | undefined;
}

/** Undefined if the text cannot be parsed or has a different value at that position. */
export function entryAt(text: string, { file, line, column }: Origin): EntryAt | undefined {
  const plain = text.replace(/^\uFEFF/, '');
  const root = parseTree(plain, [], { allowTrailingComma: true });
  const offset = column === undefined ? undefined : offsetOf(plain, line, column);
  const node = root === undefined || offset === undefined ? undefined : objectAt(root, offset);
  if (root === undefined || node === undefined) return undefined;
  const path = getNodePath(node);
  const document = readDocument(text, file);
  return {
    path,
    value: getNodeValue(node) as Record<string, unknown>, // an object, as just looked for
    at: (key) => document.at([...path, key]),
    group: () => {
      const around = path.length < 2 ? undefined : findNodeAtLocation(root, path.slice(0, -2));
      return around?.type === 'object' ? (getNodeValue(around) as Record<string, unknown>) : undefined;
    },
  };
}

function offsetOf(text: string, line: number, column: number): number | undefined {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const end = /\r\n|\n|\r/.exec(text.slice(start));
    if (end === null) return undefined;
    start += end.index + end[0].length;
  }
  return start + column - 1;
}

function objectAt(node: Node, offset: number): Node | undefined {
  if (node.type === 'object' && node.offset === offset) return node;
  for (const child of node.children ?? []) {
    if (offset < child.offset || offset >= child.offset + child.length) continue;
    const found = objectAt(child, offset);
    if (found !== undefined) return found;
  }
  return undefined;
}
