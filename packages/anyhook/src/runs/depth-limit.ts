/**
 * Limits hooks that start an agent that fires hooks. Each level gets its depth in a variable, and all nested
 * levels share a budget of runs, counted in a common file. A hook can clear its own variables, but not those
 * of its ancestors, which are checked too.
 */

import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { type Ancestor, type AncestorMemory, ancestors } from './ancestors.ts';

const DEEPEST = 3;
const RUNS = 50;
/** Shared by everything in this process. */
const ABOVE: AncestorMemory = new Map();

type Env = Readonly<Record<string, string | undefined>>;

export interface DepthLimit {
  /** Returns why a hook may not run, or an empty string if it may. */
  spend(): string;
  /** Variables for the processes of a hook. */
  readonly env: Readonly<Record<string, string>>;
  close(): void;
}
export interface DepthOptions {
  readonly deepest?: number;
  readonly runs?: number;
  /** The ancestors of the process that runs the hooks. */
  readonly above?: readonly Ancestor[];
}

export function openDepthLimit(env: Env, options: DepthOptions = {}): DepthLimit {
  const { deepest = DEEPEST, runs: most = RUNS, above = ancestors(process.ppid, ABOVE) } = options;
  const nesting = nestingOf(env, above);
  const depth = depthIn(nesting);
  const family = lineageIn(nesting) ?? randomBytes(16).toString('hex');
  const tally = join(folder(), family);
  return {
    env: { ANYHOOK_DEPTH: String(depth + 1), ANYHOOK_LINEAGE: family },
    spend() {
      if (depth >= deepest) return `nested hooks are ${depth} levels deep; the limit is ${deepest}`;
      if (depth === 0) return '';
      const runs = count(tally);
      return runs > most ? `nested hooks have run ${runs - 1} times; the limit is ${most}` : '';
    },
    close() {
      // Node loads a module with the first removal, so check first.
      if (depth === 0 && existsSync(tally)) rmSync(tally, { force: true });
    },
  };
}

/**
 * Returns the depth variables that a process with these ancestors should have, in case it cleared its own.
 */
export function nestingOf(env: Env, above: readonly Ancestor[]): Env {
  const ancestorDepths = above.map((ancestor) => depthIn(ancestor.env));
  const depth = Math.max(depthIn(env), levelsAmong(above), ...ancestorDepths);
  if (depth === 0) return {};
  const lineage = [env, ...above.map((ancestor) => ancestor.env)].map(lineageIn).find(Boolean);
  return { ANYHOOK_DEPTH: String(depth), ...(lineage !== undefined && { ANYHOOK_LINEAGE: lineage }) };
}

const depthIn = (env: Env): number => Math.max(0, Math.trunc(Number(env['ANYHOOK_DEPTH'] ?? 0)) || 0);
const lineageIn = (env: Env): string | undefined => /^[0-9a-f]{32}$/.exec(env['ANYHOOK_LINEAGE'] ?? '')?.[0];

/** Counts our processes that start hooks. Adjacent ones count as one level. */
function levelsAmong(above: readonly Ancestor[]): number {
  const ours = above.map(({ argv }) => startsHooks(argv));
  return ours.filter((isOurs, at) => isOurs && ours[at + 1] !== true).length;
}
/** The daemon starts no hooks itself; the session processes below it do. */
const STARTERS = /[\\/](?:command[\\/]helper\.mjs|daemon[\\/]session-program\.js)$/;
const startsHooks = (argv: readonly string[]): boolean =>
  argv.some(
    (word, at) =>
      STARTERS.test(word) ||
      (/[\\/]anyhook(?:\.cjs)?$/.test(word) && /^(?:fire|bridge)$/.test(argv[at + 1] ?? '')),
  );

/** A counting error must not decide anything. With a full disk, only the depth is limited. */
function count(file: string): number {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    appendFileSync(file, '.', { mode: 0o600 });
    return statSync(file).size;
  } catch {
    return 0;
  }
}

const folder = (): string => join(tmpdir(), `anyhook-${userInfo().uid}`);
