/**
 * Manages packs installed beside a `hooks.json`: one folder each, pinned by content in `hooks.lock.json`, listed under
 * `hookPaths`.
 */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, findNodeAtLocation, modify, parseTree } from 'jsonc-parser';
import writeFileAtomic from 'write-file-atomic';
import { isFields } from '../events/fields.ts';
import type { PackEntry } from '../events/pack.ts';
import { parsedFields, proven, Unreadable } from '../install/json-text.ts';
import { filesBelow, hashOf, type Pack } from './pack.ts';

export interface AddedPack {
  readonly from: string;
  /** Of all its files, as approved by the user. */
  readonly hash: string;
  readonly version?: string;
  /** Dialect of its hooks; ours if missing. */
  readonly dialect?: string;
  /** As in `hookPaths`. */
  readonly paths: readonly PackEntry[];
}
type Lock = Readonly<Record<string, AddedPack>>;

const lockOf = (settings: string): string => join(dirname(settings), 'hooks.lock.json');
export const addedFolder = (settings: string, name: string): string => join(dirname(settings), 'added', name);

export function readLock(settings: string): Lock {
  const file = lockOf(settings);
  if (!existsSync(file)) return {};
  const { added } = parsedFields(readFileSync(file, 'utf8'), file);
  if (!isFields(added)) throw new Unreadable(`${file} holds no list of what was added.`);
  return added as unknown as Lock; // our own entry; damage appears as modified content
}

/** `same`, or how the pack differs from the approved content. */
export function stateOf(settings: string, name: string, { hash }: AddedPack): 'same' | 'modified' | 'gone' {
  const folder = addedFolder(settings, name);
  if (!existsSync(folder)) return 'gone';
  return hashOf(filesBelow(folder)) === hash ? 'same' : 'modified';
}

/** Removes an installed pack of this name first. Writes the settings last, so they never name missing files. */
export function putIn(settings: string, pack: Pack): void {
  const lock = readLock(settings);
  const folder = addedFolder(settings, pack.name);
  const placed = (path: string) => `./added/${pack.name}${path === '.' ? '' : `/${path}`}`;
  const paths = pack.entries.map((entry) =>
    typeof entry === 'string' ? placed(entry) : { ...entry, path: placed(entry.path) },
  );
  const text = withPaths(settingsText(settings), settings, lock[pack.name]?.paths ?? [], paths);
  rmSync(folder, { recursive: true, force: true });
  for (const [path, bytes] of pack.files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes, { mode: pack.executable.has(path) ? 0o755 : 0o644 });
  }
  const { from, version, dialect } = pack;
  writeLock(settings, {
    ...lock,
    [pack.name]: {
      from,
      ...(version !== undefined && { version }),
      ...(dialect !== 'anyhook' && { dialect }),
      hash: hashOf(pack),
      paths,
    },
  });
  writeFileAtomic.sync(settings, text);
}

export function takeOut(settings: string, name: string): void {
  const { [name]: gone, ...rest } = readLock(settings);
  const text = withPaths(settingsText(settings), settings, gone?.paths ?? [], []);
  writeFileAtomic.sync(settings, text);
  rmSync(addedFolder(settings, name), { recursive: true, force: true });
  rmSync(join(dirname(settings), 'added/.data', name), { recursive: true, force: true });
  if (Object.keys(rest).length === 0)
    rmSync(dirname(addedFolder(settings, name)), { recursive: true, force: true });
  writeLock(settings, rest);
}

function writeLock(settings: string, added: Lock): void {
  const file = lockOf(settings);
  if (Object.keys(added).length === 0) return rmSync(file, { force: true });
  mkdirSync(dirname(file), { recursive: true });
  writeFileAtomic.sync(file, `${JSON.stringify({ added }, null, 2)}\n`);
}

const settingsText = (settings: string): string =>
  existsSync(settings) ? readFileSync(settings, 'utf8') : '';

/** Keeps comments, order and line breaks. A list that we created is removed with its last item. */
export function withPaths(
  text: string,
  file: string,
  gone: readonly PackEntry[],
  wanted: readonly PackEntry[],
): string {
  const before = parsedFields(text, file);
  const { hookPaths: said = [], ...others } = before;
  if (!Array.isArray(said)) throw new Unreadable(`${file}: "hookPaths" is not a list.`);
  const remaining: unknown[] = said.filter((path) => !isAmong(gone, path) || isAmong(wanted, path));
  const paths = [...remaining, ...wanted.filter((path) => !isAmong(remaining, path))];
  let after = text.trim() === '' ? '{\n}\n' : text;
  if (paths.length === 0) after = said.length === 0 ? after : edited(after, ['hookPaths'], undefined);
  else if (said.length === 0) after = edited(after, ['hookPaths'], paths);
  else {
    for (let at = said.length - 1; at >= 0; at--)
      if (!remaining.includes(said[at])) after = withoutItem(after, at);
    for (let at = remaining.length; at < paths.length; at++)
      after = edited(after, ['hookPaths', at], paths[at]);
  }
  const isNone = paths.length === 0 && (said.length > 0 || !('hookPaths' in before));
  return proven(after, isNone ? others : { ...before, hookPaths: paths }, file);
}

const isAmong = (list: readonly unknown[], path: unknown): boolean =>
  list.some((item) => isDeepStrictEqual(item, path));

/** `modify` decides where; we decide the layout, because it writes everything on one line without spaces. */
function edited(text: string, path: (string | number)[], value: unknown): string {
  const isItem = path.length > 1;
  const edits = modify(text, path, value, { isArrayInsertion: isItem }).map((edit) => {
    const written = value === undefined ? '' : onLine(value);
    const at = edit.content.indexOf(JSON.stringify(value));
    if (at === -1) return edit;
    const [head, tail] = [edit.content.slice(0, at), edit.content.slice(at + JSON.stringify(value).length)];
    const begin = head
      .replace(/"hookPaths":\s*/, '\n  "hookPaths": ')
      .replace(/^,$/, isFields(value) ? ',\n    ' : ', ');
    return { ...edit, content: begin + written + tail };
  });
  return applyEdits(text, edits);
}

const onLine = (value: unknown): string => {
  if (Array.isArray(value))
    return value.some(isFields)
      ? `[\n    ${value.map(onLine).join(',\n    ')}\n  ]`
      : `[${value.map(onLine).join(', ')}]`;
  if (!isFields(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${onLine(item)}`);
  return `{ ${fields.join(', ')} }`;
};

/** Removes the comma before the item, or after it for the first. jsonc-parser leaves a character of a last item behind. */
function withoutItem(text: string, at: number): string {
  const list =
    findNodeAtLocation(parseTree(text) ?? { type: 'null', offset: 0, length: 0 }, ['hookPaths'])?.children ??
    [];
  const [item, last, next] = [list[at]!, list[at - 1], list[at + 1]];
  const from = last === undefined ? item.offset : last.offset + last.length;
  const to = last === undefined && next !== undefined ? next.offset : item.offset + item.length;
  return text.slice(0, from) + text.slice(to);
}
