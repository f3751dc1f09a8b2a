/**
 * A hook that starts an agent that fires hooks: each level is told how deep it is, and all levels below the first draw
 * on one budget of runs, counted in a file that the whole family shares. A hook can clear what it hands on; what its
 * ancestors were told, and which of them are ours, it cannot.
 */
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { type Ancestor, type AncestorMemory, ancestors } from './ancestors.ts';

const DEEPEST = 3;
const RUNS = 50;
/** Of our own process, whoever opens hooks in it. */
const ABOVE: AncestorMemory = new Map();

type Env = Readonly<Record<string, string | undefined>>;

export interface DepthLimit {
  /** Why a hook may not run here any more; the empty string when it may. */
  spend(): string;
  /** What the processes of a hook are told. */
  readonly env: Readonly<Record<string, string>>;
  close(): void;
}
export interface DepthOptions {
  readonly deepest?: number;
  readonly runs?: number;
  /** Who started the process whose hooks these are. */
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
      if (depth >= deepest) return `hooks inside hooks, ${depth} levels deep; at most ${deepest} run`;
      if (depth === 0) return '';
      const runs = count(tally);
      return runs > most ? `hooks inside hooks have run ${runs - 1} times; at most ${most} may` : '';
    },
    close() {
      if (depth === 0 && existsSync(tally)) rmSync(tally, { force: true }); // Node loads what removes at its first call
    },
  };
}

/** What a process below these ancestors should have been told, if it is more than it was. */
export function nestingOf(env: Env, above: readonly Ancestor[]): Env {
  const told = above.map((ancestor) => depthIn(ancestor.env));
  const depth = Math.max(depthIn(env), levelsAmong(above), ...told);
  if (depth === 0) return {};
  const lineage = [env, ...above.map((ancestor) => ancestor.env)].map(lineageIn).find(Boolean);
  return { ANYHOOK_DEPTH: String(depth), ...(lineage !== undefined && { ANYHOOK_LINEAGE: lineage }) };
}

const depthIn = (env: Env): number => Math.max(0, Math.trunc(Number(env['ANYHOOK_DEPTH'] ?? 0)) || 0);
const lineageIn = (env: Env): string | undefined => /^[0-9a-f]{32}$/.exec(env['ANYHOOK_LINEAGE'] ?? '')?.[0];

/** Processes of ours that start hooks; several of them one above the other are one level. */
function levelsAmong(above: readonly Ancestor[]): number {
  const ours = above.map(({ argv }) => startsHooks(argv));
  return ours.filter((isOurs, at) => isOurs && ours[at + 1] !== true).length;
}
/** The daemon starts none: it is above every session, which is the first that does. */
const STARTERS = /[\\/](?:command[\\/]helper\.mjs|daemon[\\/]session-program\.js)$/;
const startsHooks = (argv: readonly string[]): boolean =>
  argv.some(
    (word, at) =>
      STARTERS.test(word) ||
      (/[\\/]anyhook(?:\.cjs)?$/.test(word) && /^(?:fire|bridge)$/.test(argv[at + 1] ?? '')),
  );

/** Counting must not decide anything by failing: a full disk leaves the depth as the only limit. */
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
