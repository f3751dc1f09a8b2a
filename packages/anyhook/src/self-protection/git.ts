/** Git commands that put other bytes in the place of what lies in the working tree, where something guarded is part of it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { ShellWord } from '../shell/word.ts';
import type { GuardedTree } from './guarded-tree.ts';
import { doubt, type Objection, refusal } from './objection.ts';
import type { PathSight, Terms } from './sight.ts';

/** Their paths are what they overwrite or take away. */
const BY_PATH: ReadonlySet<string> = new Set(['checkout', 'restore', 'rm', 'mv', 'checkout-index', 'apply']);
const TAKES_VALUE: ReadonlySet<string> = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace']);

export function gitObjection(
  words: readonly ShellWord[],
  sight: PathSight,
  { guarded, look }: Terms,
): Objection | undefined {
  const args = words.slice(1);
  const at = subcommandAt(args);
  const verb = args[at]?.value ?? '';
  const rest = args.slice(at + 1);
  const overwrites = BY_PATH.has(verb) && !leavesTree(rest.map(({ value }) => value));
  const what = `git ${verb} ${rest.map(({ text }) => text).join(' ')}`.trim();
  for (const word of args) {
    const meaning = sight.meaning(word);
    if (meaning === 'inside') return refusal(`git is given ${word.text}`);
    if (meaning === 'above' && overwrites && !word.value.startsWith('-') && rest.includes(word)) {
      const hit = sight.folders.flatMap((folder) => atRisk(folder, guarded, 'changed'))[0];
      if (hit !== undefined || verb === 'rm' || verb === 'mv')
        return doubt(`${what} would take ${hit ?? word.text} along`);
    }
    if (meaning === 'unclear' && overwrites) return doubt(`${what}: ${word.text} is known only at run time`);
  }
  const risk = riskOf(
    verb,
    rest.map(({ value }) => value),
  );
  if (risk === undefined) return undefined;
  const hit = sight.folders.map(look.really).flatMap((folder) => atRisk(folder, guarded, risk))[0];
  return hit === undefined ? undefined : doubt(`${what} would take ${hit} along`);
}

/** Only what is staged is touched. */
const leavesTree = (args: readonly string[]): boolean =>
  args.some((arg) => /^(?:-S|--staged|--cached)$/.test(arg)) &&
  !args.some((arg) => /^(?:-W|--worktree)$/.test(arg));

function subcommandAt(args: readonly ShellWord[]): number {
  for (let at = 0; at < args.length; at++) {
    const { value } = args[at]!;
    if (TAKES_VALUE.has(value)) at++;
    else if (!value.startsWith('-')) return at;
  }
  return args.length;
}

/** `changed`: tracked, and not as it was committed. `untracked`: git does not know it. */
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

/** Which guarded files of the working tree around a folder are in that state, as git's own index tells. Git is not run. */
function atRisk(folder: string, guarded: GuardedTree, risk: Risk): string[] {
  // `git init; git clean -fdx`: there is no repository yet, and everything is unknown to the one that will be there.
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

/** Where an entry of the index has its path, and before it the time and the size of what was staged. */
const [BEFORE_PATH, TIME_AT, SIZE_AT] = [62, 8, 36];

function stateOf(path: string, name: string, index: Buffer): 'clean' | 'changed' | 'untracked' {
  const isFolder = statSync(path).isDirectory();
  const at = index.indexOf(Buffer.from(isFolder ? `${name}/` : `${name}\0`));
  if (at < BEFORE_PATH) return 'untracked';
  if (isFolder) return 'clean'; // its files are looked at by themselves
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
    return Buffer.alloc(0);
  }
}
