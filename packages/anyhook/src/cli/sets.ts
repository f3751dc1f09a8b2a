/** Ready-made hook sets of the package, and where each of them belongs. */

import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { UsageError } from '../console/usage.ts';
import { DIALECTS } from '../dialects.ts';
import { packageFile } from '../own-files.mjs';

/** Created by scripts/copy-sets.mjs with the package. */
const SETS = packageFile('dist/sets');

const KNOWN = new Map(DIALECTS.flatMap(({ name, hookSet }) => (hookSet ? [[name, hookSet] as const] : [])));
export const SET_NAMES = [...KNOWN.keys()];

/** All or nothing. Never changes existing files. */
export function writeSet(name: string): {
  readonly files: readonly string[];
  readonly next: readonly string[];
} {
  const set = KNOWN.get(name);
  if (set === undefined)
    throw new UsageError(`init: no set is called ${JSON.stringify(name)}; known are ${SET_NAMES.join(', ')}`);
  const into = set.into({ home: homedir(), cwd: process.cwd() });
  const copies = Object.entries(set.parts).flatMap(([from, to]) =>
    filesIn(join(SETS, name, from)).map((file) => ({
      from: file,
      to: join(into, to, relative(join(SETS, name, from), file)),
    })),
  );
  const there = copies.filter(({ to }) => existsSync(to));
  if (there.length > 0)
    throw new UsageError(
      `init: ${there.map(({ to }) => to).join(', ')} is there already; nothing was written. The set is in ${join(SETS, name)}`,
    );
  for (const { from, to } of copies) {
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to, { errorOnExist: true, force: false });
  }
  return { files: copies.map(({ to }) => to), next: set.next };
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
