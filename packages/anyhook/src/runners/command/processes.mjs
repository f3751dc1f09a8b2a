import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * A process as the system shows it. A number is given out again one day; a number with its birth is not.
 * @typedef {{ readonly pid: number, readonly parent: number, readonly group: number, readonly born: string }} Seen
 */

/**
 * All that live. What is dead and only waits to be collected by its parent is left out.
 * @returns {Seen[]}
 */
export function processes() {
  if (process.platform === 'linux')
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (look(Number(name)) ?? []) : []));
  return process.platform === 'win32' ? [] : listed();
}

/** @param {Seen} seen */
export function lives(seen) {
  if (process.platform === 'linux') return look(seen.pid)?.born === seen.born;
  return reaches(seen.pid);
}

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
 * Those that carry the mark in the environment they were started with: also what has left group, session and parent.
 * Only Linux shows it, and only for our own user's processes that have not cleared it.
 * @param {readonly Seen[]} all
 * @param {string} mark
 */
export function marked(all, mark) {
  if (process.platform !== 'linux') return [];
  return all.filter(({ pid }) => {
    try {
      const environ = readFileSync(`/proc/${pid}/environ`, 'latin1');
      const at = environ.startsWith(RUN) ? 0 : environ.indexOf(`\0${RUN}`) + 1;
      if (at === 0 && !environ.startsWith(RUN)) return false;
      const end = environ.indexOf('\0', at);
      return environ.slice(at, end === -1 ? undefined : end).includes(mark);
    } catch {
      return false;
    }
  });
}
const RUN = 'ANYHOOK_RUN=';

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

/**
 * @param {number} pid
 * @returns {Seen | undefined}
 */
function look(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name may hold blanks and brackets; what follows the last bracket may not.
    const [state, parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    return { pid, parent: Number(parent), group: Number(group), born: rest[16] ?? '' };
  } catch {
    return undefined;
  }
}

/** @returns {Seen[]} */
function listed() {
  const columns = ['pid', 'ppid', 'pgid', 'state', 'lstart'].flatMap((name) => ['-o', `${name}=`]);
  const { stdout } = spawnSync('ps', ['-A', ...columns], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [pid, parent, group, state, ...born] = line.trim().split(/\s+/);
    if (state === undefined || state.startsWith('Z')) return [];
    return { pid: Number(pid), parent: Number(parent), group: Number(group), born: born.join(' ') };
  });
}
