import { childProcess } from './child-process.mjs';
import { folderExists, nearestFolder } from './folder.mjs';
import { hasRoom } from './room.mjs';

const PASSING = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);
/**
 * Returns true for a temporary shortage of a system resource.
 * @param {string | undefined} code
 */
export const isPassing = (code) => code !== undefined && PASSING.has(code);

/** @type {Readonly<Record<string, string>>} */
const MEANING = {
  ENOENT: 'no such program, or the interpreter in its first line does not exist',
  EACCES: 'no permission to run it, or to enter its folder',
  EMFILE: 'no file handle became free before the timeout',
  EAGAIN: 'no process could be created before the timeout',
  E2BIG: 'arguments and environment exceed the limit of the system',
  ENOEXEC: 'not a program this system can run',
  ERR_INVALID_ARG_VALUE: 'an argument contains a NUL byte',
};

/** Set after this process has run out of handles; starts then check for free handles first. */
let isScarce = false;

/**
 * @typedef {{ kind: 'started', child: import('node:child_process').ChildProcess, cwd: string }} Started
 * @typedef {{ kind: 'failed', detail: string, cwd: string }} Failed
 */

/**
 * Starts a job's program in its own process group. Temporary failures (no file handle, no process) are
 * retried as long as `mayRetry` allows.
 * @param {import('./job.ts').Job} job
 * @param {Record<string, string>} env
 * @param {() => boolean} mayRetry
 * @returns {Promise<Started | Failed>}
 */
export async function start(job, env, mayRetry) {
  for (let waitMs = 5; ; waitMs = Math.min(waitMs * 2, 100)) {
    const cwd = nearestFolder(job.cwd);
    const result = await startOnce(job, env, cwd);
    if (!(result instanceof Error)) return { kind: 'started', child: result, cwd };
    const code = result.code ?? result.name;
    isScarce ||= code === 'EMFILE' || code === 'ENFILE';
    const again = isPassing(code) || (code === 'ENOENT' && !folderExists(cwd));
    if (!again || !mayRetry()) return { kind: 'failed', detail: startError(job.file, code, result), cwd };
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/**
 * A start can fail synchronously with an exception, or later with an event.
 * @param {import('./job.ts').Job} job
 * @param {Record<string, string>} env
 * @param {string} cwd
 * @returns {Promise<import('node:child_process').ChildProcess | NodeJS.ErrnoException>}
 */
function startOnce(job, env, cwd) {
  return new Promise((resolve) => {
    if (isScarce && !hasRoom())
      return resolve(Object.assign(new Error('no file handle left'), { code: 'EMFILE' }));
    try {
      const child = childProcess().spawn(job.file, [...job.args], {
        cwd,
        env,
        detached: process.platform !== 'win32',
        windowsHide: true,
        windowsVerbatimArguments: job.verbatim === true,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      if (child.pid === undefined) child.once('error', resolve);
      else resolve(child);
    } catch (error) {
      resolve(/** @type {NodeJS.ErrnoException} */ (error));
    }
  });
}

/**
 * @param {string} file
 * @param {string} code
 * @param {Error} error
 */
function startError(file, code, error) {
  return `${code}: '${file.replaceAll('\0', '\\0')}' could not be started (${MEANING[code] ?? error.message})`;
}
