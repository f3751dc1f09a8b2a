/**
 * A hook that starts an agent that fires hooks: each level is told how deep it is, and all levels below the first draw
 * on one budget of runs, counted in a file that the whole family shares.
 */
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';

const DEEPEST = 3;
const RUNS = 50;

export interface DepthLimit {
  /** Why a hook may not run here any more; the empty string when it may. */
  spend(): string;
  /** What the processes of a hook are told. */
  readonly env: Readonly<Record<string, string>>;
  close(): void;
}

export function openDepthLimit(
  env: Readonly<Record<string, string | undefined>>,
  limits = { deepest: DEEPEST, runs: RUNS },
): DepthLimit {
  const depth = Math.max(0, Math.trunc(Number(env['ANYHOOK_DEPTH'] ?? 0)) || 0);
  const inherited = /^[0-9a-f]{32}$/.exec(env['ANYHOOK_LINEAGE'] ?? '')?.[0];
  const family = inherited ?? randomBytes(16).toString('hex');
  const tally = join(folder(), family);
  return {
    env: { ANYHOOK_DEPTH: String(depth + 1), ANYHOOK_LINEAGE: family },
    spend() {
      if (depth >= limits.deepest)
        return `hooks inside hooks, ${depth} levels deep; at most ${limits.deepest} run`;
      if (depth === 0) return '';
      const runs = count(tally);
      return runs > limits.runs
        ? `hooks inside hooks have run ${runs - 1} times; at most ${limits.runs} may`
        : '';
    },
    close() {
      if (depth === 0) rmSync(tally, { force: true });
    },
  };
}

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
