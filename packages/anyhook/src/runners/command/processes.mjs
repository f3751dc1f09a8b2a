import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { childProcess } from './child-process.mjs';

/** A container or a sandbox may hide it on Linux too. */
const HAS_PROC = process.platform === 'linux' && existsSync('/proc/self/stat');

/**
 * A process as the system shows it. A number is given out again one day; a number with its birth is not.
 * @typedef {{ readonly pid: number, readonly parent: number, readonly group: number, readonly born: string }} Seen
 */

/**
 * All that live. What is dead and only waits to be collected by its parent is left out. Never throws: who cannot look
 * (no file handle left) still has the group to signal.
 * @returns {Seen[]}
 */
export function processes() {
  if (HAS_PROC) return numbers().flatMap((pid) => look(pid) ?? []);
  return process.platform === 'win32' ? [] : listed();
}

/** @param {Seen} seen */
export function lives(seen) {
  if (HAS_PROC) return look(seen.pid)?.born === seen.born;
  return reaches(seen.pid);
}

/**
 * Not dead, also not dead and uncollected where the system shows that.
 * @param {number} pid
 */
export const isAlive = (pid) => (HAS_PROC ? look(pid) !== undefined : reaches(pid));

/**
 * Can a signal find it? A negative number is a whole group. A dead process that nobody collected still counts.
 * @param {number} pid
 */
export function reaches(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * One look at everything, with what was read of it so far. Looks are dear and many trees may end at once, so they share.
 * @typedef {{ readonly at: number, readonly all: readonly Seen[], readonly trails: Map<number, string | null> }} Sight
 */
/** @type {Sight | undefined} */
let latest;

/**
 * A look that began at this time or later.
 * @param {number} since
 * @returns {Sight}
 */
export function sight(since) {
  if (latest === undefined || latest.at < since)
    latest = { at: performance.now(), all: processes(), trails: new Map() };
  return latest;
}

/** A look at a loaded machine takes its time: this share of it, and no more, goes to looking. */
const LOOKING = 1 / 2;
/** When the last look that was waited for was over, and how long it took. */
let ended = { at: -Infinity, ms: 0 };
/** @type {Promise<Sight> | undefined} */
let nextLook;

/**
 * The same for who can wait: whoever asks before it has begun shares it. Many trees that end at once would otherwise wait for
 * one another's looks, one after the other.
 * @param {number} since
 * @returns {Promise<Sight>}
 */
export async function soonSight(since) {
  if (latest !== undefined && latest.at >= since) return latest;
  nextLook ??= lookSoon();
  return nextLook;
}

async function lookSoon() {
  const restMs = ended.at + ended.ms / LOOKING - ended.ms - performance.now();
  await new Promise((resolve) => (restMs > 1 ? setTimeout(resolve, restMs) : setImmediate(resolve)));
  nextLook = undefined;
  const began = performance.now();
  const seen = sight(began);
  ended = { at: performance.now(), ms: performance.now() - began };
  return seen;
}

/**
 * Those that carry the mark in the environment they were started with: also what has left group, session and parent.
 * Only Linux shows it, and only for our own user's processes that have not cleared it.
 * @param {Sight} seen
 * @param {string} mark
 * @param {string} [born] nobody is older than who started it
 */
export function marked({ all, trails }, mark, born = '0') {
  if (!HAS_PROC) return [];
  return all.filter(({ pid, born: own }) => {
    if (Number(own) < Number(born)) return false;
    const known = trails.get(pid);
    const trail = known === undefined ? trailOf(pid) : known;
    trails.set(pid, trail);
    return trail?.includes(mark) === true;
  });
}

/**
 * Somebody whom no mark can tell yet: while a program takes the place of the one that started it, the system shows neither
 * its words nor its variables. Asked of a look at all of them, by `marked`.
 * @param {Sight} sight
 */
export const isAnybodyBeginning = ({ all, trails }) =>
  all.some(
    ({ pid, parent }) => trails.get(pid) === null && pid !== KERNEL && parent !== KERNEL && isUnsettled(pid),
  );
/**
 * It had no variables when it was looked at. With words, and still without, it was started so.
 * @param {number} pid
 */
function isUnsettled(pid) {
  try {
    return textOf(pid, 'cmdline') === '' || textOf(pid, 'environ') !== '';
  } catch {
    return false;
  }
}
/** Threads of the system itself have neither, ever. */
const KERNEL = 2;

/**
 * Throws for who is gone or another user's.
 * @param {number} pid
 * @param {'environ' | 'cmdline'} part
 */
const textOf = (pid, part) => readFileSync(`/proc/${pid}/${part}`, 'latin1');

/**
 * Null: it has no variables at all, or none yet.
 * @param {number} pid
 */
function trailOf(pid) {
  try {
    const text = textOf(pid, 'environ');
    if (text === '') return null;
    const environ = `\0${text}`;
    const at = environ.indexOf(RUN);
    return at === -1 ? '' : environ.slice(at + RUN.length, environ.indexOf('\0', at + 1));
  } catch {
    return '';
  }
}
const RUN = '\0ANYHOOK_RUN=';

/**
 * Children, their children and so on, as far as the parent links still hold.
 * @param {readonly Seen[]} all
 * @param {Iterable<number>} roots
 */
export function descendants(all, roots) {
  const found = new Set(roots);
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  return all.filter(({ pid }) => found.has(pid));
}

function numbers() {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
  } catch {
    return [];
  }
}

/**
 * @param {number} pid
 * @returns {Seen | undefined}
 */
function look(pid) {
  try {
    const stat = statOf(pid);
    // The name may hold blanks and brackets; what follows the last bracket may not.
    const [state, parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    return { pid, parent: Number(parent), group: Number(group), born: rest[16] ?? '' };
  } catch {
    return undefined;
  }
}

/** Longer than any: a name of at most 64 bytes, and numbers. */
const STAT = Buffer.allocUnsafe(2_048);

/**
 * In half the time that `readFileSync` takes, which looks for the size first and reads until nothing comes.
 * @param {number} pid
 */
function statOf(pid) {
  const fd = openSync(`/proc/${pid}/stat`, 'r');
  try {
    return STAT.toString('latin1', 0, readSync(fd, STAT, 0, STAT.length, 0));
  } finally {
    closeSync(fd);
  }
}

/**
 * The same where there is no /proc. Empty if `ps` is missing, or needs /proc itself.
 * @returns {Seen[]}
 */
export function listed() {
  const columns = ['pid', 'ppid', 'pgid', 'state', 'lstart'].flatMap((name) => ['-o', `${name}=`]);
  const { stdout } = childProcess().spawnSync('ps', ['-A', ...columns], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [pid, parent, group, state, ...born] = line.trim().split(/\s+/);
    if (state === undefined || state.startsWith('Z')) return [];
    return { pid: Number(pid), parent: Number(parent), group: Number(group), born: born.join(' ') };
  });
}
