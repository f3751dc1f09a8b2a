import { childProcess } from './child-process.mjs';
import { descendants, isAnybodyBeginning, lives, marked, reaches, sight, soonSight } from './processes.mjs';

/** How long a killed process may take to go. */
const GONE_WITHIN_MS = 200;
const LOOK_EVERY_MS = 10;

/** @typedef {import('./processes.mjs').Seen} Seen */
/** @typedef {import('./processes.mjs').Sight} Sight */

/**
 * What one run has started: its group, what descends from it, and what carries its mark. A process that has cleared its
 * environment, left the group and lost its parent before we first looked cannot be told from a stranger.
 * @typedef {{ readonly pid: number | undefined, readonly mark: string, readonly known: Map<number, Seen> }} Tree
 */

/**
 * @param {number | undefined} pid leads its own group; not there for all that only a mark can find
 * @param {string} mark never empty
 * @returns {Tree}
 */
export const processTreeOf = (pid, mark) => ({ pid, mark, known: new Map() });

/**
 * Asks the tree to end, waits for at most the grace, then ends it.
 * @param {Tree} tree
 * @param {number} graceMs
 * @returns {Promise<number[]>} who is still there
 */
export async function endTree(tree, graceMs) {
  if (process.platform === 'win32') return endOnWindows(tree);
  const due = performance.now() + graceMs;
  // CONT, because what is stopped cannot hear TERM.
  const found = members(tree, await soonSight(performance.now() - LOOK_EVERY_MS));
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGCONT'])) strike(tree, found, signal);
  const asked = performance.now();
  while (performance.now() < due && !(await isGone(tree))) await pause(LOOK_EVERY_MS);
  return killTree(tree, asked);
}

/**
 * Ends the tree without asking, again and again until nothing of it is found.
 * @param {Tree} tree
 * @param {number} [since] when it was last struck
 */
export async function killTree(tree, since = performance.now()) {
  let due = Infinity;
  for (let struck = since; ;) {
    const seen = await soonSight(struck);
    const left = killOnce(tree, seen);
    if ((left.length === 0 && !mayBegin(tree, seen)) || performance.now() > due) return left;
    struck = performance.now();
    // Whoever was found once was struck only now, however late the look came.
    due = Math.min(due, struck + GONE_WITHIN_MS);
    await pause(LOOK_EVERY_MS);
  }
}

/**
 * The same for many, and without giving way to anything else: for a process that is about to end itself.
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
 * Who started it may have been killed in the middle: then only its mark can tell it, and not yet.
 * @param {Tree} tree
 * @param {Sight} seen
 */
const mayBegin = ({ pid }, seen) => pid === undefined && isAnybodyBeginning(seen);

/**
 * The group alone, for a run whose leader has ended and left somebody holding its pipes.
 * @param {Tree} tree
 * @returns {Promise<number[]>} who has left the group and lives on
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
 * Everything of the tree that lives. Who was once found in it stays in it, whoever its parent is by then.
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
  // A look that shows nothing, not even this process, could not look: then only the signal above tells.
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
    // It has ended by itself, or is not ours to end; who is left is counted, not assumed.
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
