/** Changes a user's settings file: computes the edit, shows it, then writes it completely or not at all. */

import type { Locations } from '../events/dialect.ts';
import { readDocument } from '../events/document.ts';
import { isFields } from '../events/fields.ts';
import type { Layer } from '../events/hook.ts';
import { proven, Unreadable } from '../install/json-text.ts';
import { type TargetFile, targetFileOf, targetText } from '../install/target.ts';
import { checkWritable, writeTarget } from '../install/write-target.ts';
import { unifiedPatch } from '../settings/trust/diff.ts';
import { visible } from '../settings/trust/visible.ts';
import { type SplicePath, splice } from './splice.ts';

export interface FileEdit {
  readonly target: TargetFile;
  /** `null` removes the file, because it is empty. */
  readonly text: string | null;
  readonly diff: string;
}
export interface FileChange {
  readonly path: SplicePath;
  /** `undefined` removes the key or item. */
  readonly to: unknown;
}

export const openTarget = (file: string, layer: Layer, { cwd }: Pick<Locations, 'cwd'>): TargetFile =>
  targetFileOf(file, { scope: layer === 'project' ? 'project' : 'user', cwd });

/** Parses the file. Throws `Unreadable` if that fails, and such a file is left alone. */
export function valueIn(target: TargetFile): Fields {
  const text = targetText(target);
  if (text.replace('\uFEFF', '').trim() === '') return {};
  const { value, problems } = readDocument(text, target.file);
  if (isFields(value)) return value;
  const [problem] = problems;
  throw new Unreadable(
    problem === undefined
      ? `${target.file} is not a JSON object.`
      : `${target.file}:${problem.line ?? 1} ${problem.message} It is left as it is.`,
  );
}

/** Throws `Unreadable` if the new text would not parse to exactly the wanted value. */
export function changedText(target: TargetFile, { path, to }: FileChange): FileEdit {
  const value = structuredClone(valueIn(target));
  const before = targetText(target);
  set(value, path, to);
  const text = proven(splice(before, path, to), value, target.file);
  return { target, text, diff: plainDiff(target.file, before, text) };
}

function set(value: Fields, path: SplicePath, to: unknown): void {
  let around: Record<string | number, unknown> = value;
  for (const step of path.slice(0, -1)) {
    if (typeof around[step] !== 'object' || around[step] === null) around[step] = {};
    around = around[step] as Record<string | number, unknown>; // an object, as checked above
  }
  const last = path.at(-1)!;
  if (Array.isArray(around) && typeof last === 'number')
    around.splice(last, 1, ...(to === undefined ? [] : [to]));
  else if (to === undefined) delete around[last];
  else around[last] = to;
}

type Fields = Record<string, unknown>;

export function removed(target: TargetFile): FileEdit {
  return { target, text: null, diff: plainDiff(target.file, targetText(target), '') };
}

const plainDiff = (file: string, before: string, after: string): string =>
  visible(unifiedPatch(file, before, after)).trimEnd();

export function writeEdit({ target, text }: FileEdit, layer: Layer, locations: Pick<Locations, 'cwd'>): void {
  const now = openTarget(target.file, layer, locations);
  const isSame = now.path === target.path && Buffer.compare(now.bytes ?? NONE, target.bytes ?? NONE) === 0;
  if (!isSame) throw new Unreadable(`${target.file} has changed in the meantime; nothing was written.`);
  checkWritable(target);
  writeTarget(target, text);
}
const NONE = Buffer.alloc(0);
