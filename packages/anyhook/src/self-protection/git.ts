/** Objects to git commands that overwrite or delete guarded files of the working tree. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { ShellAct } from '../shell/act.ts';
import type { GuardedTree } from './guarded-tree.ts';
import { doubt, type Objection, refusal } from './objection.ts';
import type { GuardedCall, PathResolver } from './path-resolver.ts';

/** Subcommands that overwrite or delete the paths they are given. */
const BY_PATH: ReadonlySet<string> = new Set(['checkout', 'restore', 'rm', 'mv', 'checkout-index', 'apply']);
const TAKES_VALUE: ReadonlySet<string> = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace']);

export function gitObjection(
  { words, args }: ShellAct,
  resolver: PathResolver,
  { guarded, look }: GuardedCall,
): Objection | undefined {
  const at = subcommandAt(args);
  const verb = args[at] ?? '';
  const rest = words.slice(at + 2);
  const overwrites = BY_PATH.has(verb) && !changesOnlyIndex(args.slice(at + 1));
  const what = `git ${verb} ${rest.map(({ text }) => text).join(' ')}`.trim();
  for (const word of words.slice(1)) {
    const touch = resolver.touch(word);
    if (touch === 'inside') return refusal(`git is given ${word.text}`);
    if (touch === 'above' && overwrites && !word.value.startsWith('-') && rest.includes(word)) {
      const hit = resolver.folders.flatMap((folder) => guardedAtRisk(folder, guarded, 'changed'))[0];
      if (hit !== undefined || verb === 'rm' || verb === 'mv')
        return doubt(`${what} would take ${hit ?? word.text} along`);
    }
    if (touch === 'unclear' && overwrites) return doubt(`${what}: ${word.text} is known only at run time`);
  }
  const risk = riskOf(verb, args.slice(at + 1));
  if (risk === undefined) return undefined;
  const hit = resolver.folders.map(look.really).flatMap((folder) => guardedAtRisk(folder, guarded, risk))[0];
  return hit === undefined ? undefined : doubt(`${what} would take ${hit} along`);
}

const changesOnlyIndex = (args: readonly string[]): boolean =>
  args.some((arg) => /^(?:-S|--staged|--cached)$/.test(arg)) &&
  !args.some((arg) => /^(?:-W|--worktree)$/.test(arg));

function subcommandAt(args: readonly string[]): number {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (TAKES_VALUE.has(arg)) at++;
    else if (!arg.startsWith('-')) return at;
  }
  return args.length;
}

/** Which files are lost: `changed` files differ from the index, `untracked` files are not in it. */
type Risk = 'changed' | 'untracked' | 'either';

function riskOf(verb: string, args: readonly string[]): Risk | undefined {
  const has = (pattern: RegExp) => args.some((arg) => pattern.test(arg));
  if (verb === 'clean') return has(/^-\w*n|^--dry-run$/) ? undefined : 'untracked';
  if (verb === 'reset') return has(/^--(?:hard|merge|keep)$/) ? 'changed' : undefined;
  if (verb === 'checkout' || verb === 'switch' || verb === 'checkout-index')
    return has(/^-\w*f|^--force$|^--discard-changes$/) ? 'changed' : undefined;
  if (verb === 'read-tree') return has(/^-u$|^--reset$/) ? 'changed' : undefined;
  if (verb !== 'stash') return undefined;
  if (has(/^(?:list|show|drop|clear|create|store|pop|apply|branch)$/)) return undefined;
  return has(/^-\w*[ua]|^--(?:include-untracked|all)$/) ? 'either' : 'changed';
}

/** The guarded files of the working tree that are in this state. Reads git's index and does not run git. */
function guardedAtRisk(folder: string, guarded: GuardedTree, risk: Risk): string[] {
  // `git init; git clean -fdx`: every file is untracked in the repository that the command creates.
  const root = rootOf(folder) ?? (risk === 'untracked' ? folder : undefined);
  if (root === undefined) return [];
  const index = readOr(indexOf(root));
  return guarded.below(root).filter((path) => {
    const name = relative(root, path);
    if (name === '' || name.startsWith('..') || isAbsolute(name) || !existsSync(path)) return false;
    const state = stateOf(path, name, index);
    return state !== 'clean' && (risk === 'either' || state === risk);
  });
}

function rootOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return undefined;
  }
}

function indexOf(root: string): string {
  const git = join(root, '.git');
  const link = /^gitdir: (.+)$/m.exec(readOr(git).toString('utf8'))?.[1];
  return join(link === undefined ? git : resolve(root, link.trim()), 'index');
}

/** Offsets in an index entry: its path, and the modification time and size of the staged file. */
const [BEFORE_PATH, TIME_AT, SIZE_AT] = [62, 8, 36];

function stateOf(path: string, name: string, index: Buffer): 'clean' | 'changed' | 'untracked' {
  const isFolder = statSync(path).isDirectory();
  const at = index.indexOf(Buffer.from(isFolder ? `${name}/` : `${name}\0`));
  if (at < BEFORE_PATH) return 'untracked';
  if (isFolder) return 'clean'; // its files are checked one by one
  const { mtimeMs, size } = statSync(path);
  const entry = at - BEFORE_PATH;
  const isSame =
    index.readUInt32BE(entry + TIME_AT) === Math.floor(mtimeMs / 1000) &&
    index.readUInt32BE(entry + SIZE_AT) === size % 2 ** 32;
  return isSame ? 'clean' : 'changed';
}

function readOr(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    // There is no such file.
    return Buffer.alloc(0);
  }
}
