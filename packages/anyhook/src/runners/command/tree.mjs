import { childProcess } from './child-process.mjs';
import { descendants, isAnybodyBeginning, lives, marked, reaches, sight, soonSight } from './processes.mjs';

/** How long a killed process may take to disappear. */
const GONE_WITHIN_MS = 200;
const LOOK_EVERY_MS = 10;

/** @typedef {import('./processes.mjs').Seen} Seen */
/** @typedef {import('./processes.mjs').Sight} Sight */

/**
 * All processes of one run: its group, its descendants, and those that carry its mark. A process that cleared
 * its environment, left the group and lost its parent before the first snapshot cannot be found.
 * @typedef {{ readonly pid: number | undefined, readonly mark: string, readonly known: Map<number, Seen> }} Tree
 */

/**
 * @param {number | undefined} pid the group leader; undefined: find processes by their mark only
 * @param {string} mark never empty
 * @returns {Tree}
 */
export const processTreeOf = (pid, mark) => ({ pid, mark, known: new Map() });

/**
 * Sends TERM to the tree, waits at most for the grace period, then kills it.
 * @param {Tree} tree
 * @param {number} graceMs
 * @returns {Promise<number[]>} processes that are still running
 */
export async function endTree(tree, graceMs) {
  if (process.platform === 'win32') return endOnWindows(tree);
  const due = performance.now() + graceMs;
  // CONT, because a stopped process does not receive TERM.
  const found = members(tree, await soonSight(performance.now() - LOOK_EVERY_MS));
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGCONT'])) strike(tree, found, signal);
  const asked = performance.now();
  while (performance.now() < due && !(await isGone(tree))) await pause(LOOK_EVERY_MS);
  return killTree(tree, asked);
}

/**
 * Kills the tree repeatedly until no process of it is left.
 * @param {Tree} tree
 * @param {number} [since] time of the last signal
 */
export async function killTree(tree, since = performance.now()) {
  let due = Infinity;
  for (let struck = since; ;) {
    const seen = await soonSight(struck);
    const left = killOnce(tree, seen);
    if ((left.length === 0 && !mayBegin(tree, seen)) || performance.now() > due) return left;
    struck = performance.now();
    // The time limit starts with the first signal, however late the snapshot was.
    due = Math.min(due, struck + GONE_WITHIN_MS);
    await pause(LOOK_EVERY_MS);
  }
}

/**
 * Does the same for several trees, synchronously, for a process that is about to exit.
 * @param {readonly Tree[]} trees
 * @param {number} withinMs
 */
export function killTreesNow(trees, withinMs) {
  const due = performance.now() + withinMs;
  const still = new Int32Array(new SharedArrayBuffer(4));
  let left = trees;
  do {
    const seen = sight(performance.now());
    left = left.filter((tree) => killOnce(tree, seen).length > 0 || mayBegin(tree, seen));
    if (left.length > 0) Atomics.wait(still, 0, 0, LOOK_EVERY_MS);
  } while (left.length > 0 && performance.now() < due);
}

/**
 * Its starter may have been killed in the middle, so that only a mark that is not visible yet can identify
 * it.
 * @param {Tree} tree
 * @param {Sight} seen
 */
const mayBegin = ({ pid }, seen) => pid === undefined && isAnybodyBeginning(seen);

/**
 * Kills only the group, for a run whose leader has exited while another process holds its pipes.
 * @param {Tree} tree
 * @returns {Promise<number[]>} processes that left the group and are still running
 */
export async function killProcessGroup(tree) {
  const found = members(tree, await soonSight(performance.now()));
  if (tree.pid !== undefined) send(-tree.pid, 'SIGKILL');
  return found.filter((seen) => seen.group !== tree.pid).map(({ pid }) => pid);
}

/**
 * @param {Tree} tree
 * @param {Sight} seen
 */
function killOnce(tree, seen) {
  const found = members(tree, seen);
  strike(tree, found, 'SIGKILL');
  return found.map(({ pid }) => pid);
}

/**
 * @param {Tree} tree
 * @param {readonly Seen[]} found
 * @param {NodeJS.Signals} signal
 */
function strike(tree, found, signal) {
  if (tree.pid !== undefined) send(-tree.pid, signal);
  for (const { pid, group } of found) if (group !== tree.pid) send(pid, signal);
}

/**
 * Returns all live processes of the tree. A process that was once found stays in it, whatever its parent is
 * later.
 * @param {Tree} tree
 * @param {Sight} now
 */
function members(tree, now) {
  const isInside = (/** @type {Seen} */ seen) =>
    seen.pid === tree.pid || seen.group === tree.pid || tree.known.get(seen.pid)?.born === seen.born;
  const inside = now.all.filter(isInside);
  const leader = inside.find(({ pid }) => pid === tree.pid) ?? tree.known.get(tree.pid ?? 0);
  const roots = [...inside, ...marked(now, tree.mark, leader?.born)].map(({ pid }) => pid);
  const found = descendants(now.all, roots).filter(({ pid }) => pid !== process.pid);
  for (const seen of found) tree.known.set(seen.pid, seen);
  return found;
}

/** @param {Tree} tree */
async function isGone(tree) {
  for (const seen of tree.known.values()) if (lives(seen)) return false;
  if (tree.pid === undefined || !reaches(-tree.pid)) return true;
  const now = await soonSight(performance.now());
  // An empty snapshot means that /proc is not readable; then only the signal above decides.
  return now.all.length > 0 && members(tree, now).length === 0;
}

/**
 * @param {number} target
 * @param {NodeJS.Signals} signal
 */
function send(target, signal) {
  try {
    process.kill(target, signal);
  } catch {
    // It has exited, or belongs to another user. Remaining processes are counted, not assumed.
  }
}

/** @param {Tree} tree */
function endOnWindows({ pid }) {
  if (pid === undefined) return [];
  childProcess().spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true });
  return reaches(pid) ? [pid] : [];
}

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
