/**
 * Finds the location in a plugin's code where an error was thrown, if the stack contains it. Compilation preserves
 * lines but not columns.
 */

import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeThrown } from '../../../runners/module/thrown.mjs';

export interface PlaceIn {
  readonly file: string;
  readonly line?: number;
}

export function placeIn(
  thrown: unknown,
  { file, root }: { readonly file: string; readonly root: string },
): PlaceIn {
  for (const frame of (describeThrown(thrown).stack ?? '').split('\n')) {
    const [, at, line] = /(?:\(|at |@)((?:file:\/\/)?[^\s()@]*?):(\d+):\d+\)?$/.exec(frame) ?? [];
    if (at === undefined) continue;
    const path = at.startsWith('file:') ? fileURLToPath(at) : at;
    if (path === file || isBelow(path, root)) return { file: path, line: Number(line) };
  }
  return { file };
}

function isBelow(path: string, root: string): boolean {
  const way = relative(root, path);
  return isAbsolute(path) && way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
