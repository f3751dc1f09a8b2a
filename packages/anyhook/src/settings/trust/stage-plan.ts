import { isUtf8 } from 'node:buffer';
import { existsSync, readdirSync, type Dirent } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { TrustedFiles, TrustedFile } from './trusted-files.ts';
import { languageOf } from './refs/language.ts';
import { walkShell, type Visit } from './shell/walk.ts';

export type StagedItem =
  | { readonly kind: 'folder' }
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string };

/** Name from the root → what stands there. Parents come before what is in them. */
export type StagePlan = ReadonlyMap<string, StagedItem>;

/** The private copy: what was hashed as files, the project's own links, and a way through to everything else. */
export function planOf(trustedFiles: TrustedFiles, root: string): StagePlan {
  const plan = new Map<string, StagedItem>([['', { kind: 'folder' }]]);
  const makeWay = (name: string): void => {
    if (name === '' || name === '.' || plan.has(name)) return;
    makeWay(posix.dirname(name));
    plan.set(name, { kind: 'folder' });
  };
  for (const folder of trustedFiles.folders) makeWay(folder);
  for (const file of trustedFiles.files) {
    makeWay(posix.dirname(file.name));
    plan.set(file.name, {
      kind: 'file',
      bytes: pointedAtCopies(file, trustedFiles, root),
      mode: file.executable ? 0o500 : 0o400,
    });
  }
  for (const link of trustedFiles.links) {
    makeWay(posix.dirname(link.name));
    const target = posix.relative(posix.dirname(link.name), link.target);
    plan.set(link.name, { kind: 'link', target: target === '' ? '.' : target });
  }
  for (const [name, planned] of plan)
    if (planned.kind === 'folder') letThrough(plan, trustedFiles.project.root, name);
  return plan;
}

/** Where a word that is run leads in the copy. */
export const inCopy =
  (trustedFiles: TrustedFiles, root: string): Visit =>
  (found) => {
    if ((found.role !== 'run' && found.role !== 'source') || found.stays || found.self) return undefined;
    const name = trustedFiles.copied.get(found.path);
    return name === undefined ? undefined : join(root, name);
  };

/**
 * A script that sources `./lib.sh` means the working directory, which stays the project's: that word, and no other
 * byte, is pointed at the copy. What it finds beside itself it finds in the copy without help.
 */
function pointedAtCopies(file: TrustedFile, trustedFiles: TrustedFiles, root: string): Buffer {
  if (languageOf(file.name, file.bytes) !== 'shell' || !isUtf8(file.bytes)) return file.bytes;
  const path = join(trustedFiles.project.root, file.name);
  const text = file.bytes.toString('utf8');
  const walked = walkShell(
    text,
    { ...trustedFiles.facts, zero: path, file: path },
    inCopy(trustedFiles, root),
  );
  return walked.text === text ? file.bytes : Buffer.from(walked.text, 'utf8');
}

/** A hidden repository would make git take the copy for a work tree; bytecode would run instead of the source. */
const NEVER = new Set(['.git', '__pycache__']);
const IMPORTABLE = /\.(py|pyw|pyc|pyd|so)$/;

/** Data a script reads beside itself, `node_modules`, `package.json`: reachable as before, and as unbound as before. */
function letThrough(plan: Map<string, StagedItem>, root: string, name: string): void {
  const folder = join(root, name);
  let entries: Dirent[] = [];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    // Gone since it was read: then there is nothing beside the copy.
  }
  const isPython = [...plan.keys()].some((other) => other.endsWith('.py') && parentOf(other) === name);
  for (const entry of entries) {
    const inside = name === '' ? entry.name : `${name}/${entry.name}`;
    if (plan.has(inside) || NEVER.has(entry.name)) continue;
    // Python looks beside the script before it looks at its own library: `json.py` there would run for `import json`.
    if (isPython && (IMPORTABLE.test(entry.name) || existsSync(join(folder, entry.name, '__init__.py'))))
      continue;
    plan.set(inside, { kind: 'link', target: join(folder, entry.name) });
  }
}

const parentOf = (name: string): string => {
  const parent = dirname(name);
  return parent === '.' ? '' : parent;
};
