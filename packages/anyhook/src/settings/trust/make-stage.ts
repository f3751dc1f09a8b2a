import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import type { StagePlan, StagedItem } from './stage-plan.ts';

/**
 * Makes a folder match the plan. A new folder is created aside and renamed. An existing one is compared byte
 * by byte and repaired with single renames, so that a session that uses it never sees a missing file.
 */
export function makeStage(root: string, plan: StagePlan): void {
  makeFolder(dirname(root));
  if (kindOf(root) !== 'folder') {
    const aside = `${root}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      for (const [name, planned] of plan) create(join(aside, name), planned);
      if (kindOf(root) !== 'absent') rmSync(root, { force: true });
      renameSync(aside, root);
      return;
    } catch (error) {
      rmSync(aside, { recursive: true, force: true });
      // Another process created it meanwhile, so check it like any existing folder.
      if (kindOf(root) !== 'folder') throw error;
    }
  }
  for (const [name, planned] of plan)
    if (!isRight(join(root, name), planned)) mend(join(root, name), planned);
  for (const [name, planned] of plan) if (planned.kind === 'folder') clear(root, name, plan);
}

function create(path: string, planned: StagedItem): void {
  if (planned.kind === 'folder') makeFolder(path);
  else if (planned.kind === 'link') symlinkSync(planned.target, path);
  else {
    writeFileSync(path, planned.bytes, { flag: 'wx', mode: planned.mode });
    chmodSync(path, planned.mode);
  }
}

function mend(path: string, planned: StagedItem): void {
  if (planned.kind === 'folder') {
    if (kindOf(path) !== 'folder') rmSync(path, { force: true });
    makeFolder(path);
    chmodSync(path, 0o700);
    return;
  }
  const aside = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  create(aside, planned);
  if (kindOf(path) === 'folder') rmSync(path, { recursive: true, force: true });
  renameSync(aside, path);
}

function isRight(path: string, planned: StagedItem): boolean {
  const kind = kindOf(path);
  if (kind !== planned.kind) return false;
  if (planned.kind === 'link') return readlinkSync(path) === planned.target;
  const mode = lstatSync(path).mode & 0o777;
  if (planned.kind === 'folder') return mode === 0o700;
  return mode === planned.mode && readFileSync(path).equals(planned.bytes);
}

const CODE = /\.([cm]?[jt]sx?|node|wasm|sh|bash|zsh|py\w?|so|rb|pl|php|lua|json)$/;

/**
 * Keeps plain data files that a hook wrote next to itself, and removes everything that could be run or
 * imported.
 */
function clear(root: string, name: string, plan: StagePlan): void {
  for (const entry of readdirSync(join(root, name), { withFileTypes: true })) {
    const inside = name === '' ? entry.name : `${name}/${entry.name}`;
    if (plan.has(inside)) continue;
    const path = join(root, inside);
    const isData = entry.isFile() && !CODE.test(entry.name) && (lstatSync(path).mode & 0o111) === 0;
    if (!isData) rmSync(path, { recursive: true, force: true });
  }
}

function kindOf(path: string): StagedItem['kind'] | 'absent' | 'special' {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return 'absent';
  if (status.isSymbolicLink()) return 'link';
  return status.isDirectory() ? 'folder' : status.isFile() ? 'file' : 'special';
}
