import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { childProcess } from './child-process.mjs';

/** Linux containers and sandboxes may hide /proc. */
const HAS_PROC = process.platform === 'linux' && existsSync('/proc/self/stat');

/**
 * A process as the system reports it. A pid may be reused, but not together with its start time.
 * @typedef {{ readonly pid: number, readonly parent: number, readonly group: number, readonly born: string }} Seen
 */

/**
 * Returns all live processes, without zombies. Never throws: if the list is unavailable (no file handle
 * left), the process group can still be signalled.
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
 * Returns true if the process is alive. A zombie counts as dead where the system shows that.
 * @param {number} pid
 */
export const isAlive = (pid) => (HAS_PROC ? look(pid) !== undefined : reaches(pid));

/**
 * Returns true if a signal can reach the target. A negative number is a process group. A zombie still counts.
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
 * A snapshot of all processes with the marks read so far. Snapshots are expensive, so trees that end at the
 * same time share one.
 * @typedef {{ readonly at: number, readonly all: readonly Seen[], readonly trails: Map<number, string | null> }} Sight
 */
/** @type {Sight | undefined} */
let latest;

/**
 * Returns a snapshot that was started at this time or later.
 * @param {number} since
 * @returns {Sight}
 */
export function sight(since) {
  if (latest === undefined || latest.at < since)
    latest = { at: performance.now(), all: processes(), trails: new Map() };
  return latest;
}

/** On a busy machine a snapshot takes long. This limits the share of time spent on snapshots. */
const LOOKING = 1 / 2;
/** End and duration of the last snapshot. */
let ended = { at: -Infinity, ms: 0 };
/** @type {Promise<Sight> | undefined} */
let nextLook;

/**
 * Does the same asynchronously: all callers before its start share one snapshot. Otherwise many trees that
 * end at once would wait for one snapshot each.
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
 * Returns the processes that were started with the mark in their environment, even if they left group,
 * session and parent. Only Linux shows it, and only for processes of the same user that have not cleared it.
 * @param {Sight} seen
 * @param {string} mark
 * @param {string} [born] start time of the run; processes that started earlier are ignored
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
 * Returns true if there is a process that cannot be identified yet: during exec, the system shows neither
 * arguments nor environment. Call `marked` on the snapshot first.
 * @param {Sight} sight
 */
export const isAnybodyBeginning = ({ all, trails }) =>
  all.some(
    ({ pid, parent }) => trails.get(pid) === null && pid !== KERNEL && parent !== KERNEL && isUnsettled(pid),
  );
/**
 * The process had no environment in the snapshot. If it has arguments now and still no environment, it was
 * started that way.
 * @param {number} pid
 */
function isUnsettled(pid) {
  try {
    return textOf(pid, 'cmdline') === '' || textOf(pid, 'environ') !== '';
  } catch {
    return false;
  }
}
/** Kernel threads never have either. */
const KERNEL = 2;

/**
 * Throws if the process is gone or belongs to another user.
 * @param {number} pid
 * @param {'environ' | 'cmdline'} part
 */
const textOf = (pid, part) => readFileSync(`/proc/${pid}/${part}`, 'latin1');

/**
 * Returns null if the process has no environment, or none yet.
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
 * Returns all descendants, as far as the parent links are intact.
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
    // The name may contain spaces and brackets; the text after the last bracket does not.
    const [state, parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    return { pid, parent: Number(parent), group: Number(group), born: rest[16] ?? '' };
  } catch {
    return undefined;
  }
}

/** Larger than any content: a name of at most 64 bytes, and numbers. */
const STAT = Buffer.allocUnsafe(2_048);

/**
 * Takes half the time of `readFileSync`, which checks the size first and reads until end of file.
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
 * Does the same without /proc. Empty if `ps` is missing or needs /proc itself.
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
