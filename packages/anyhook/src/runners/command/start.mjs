import { childProcess } from './child-process.mjs';
import { folderExists, nearestFolder } from './folder.mjs';
import { hasRoom } from './room.mjs';

const PASSING = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);
/**
 * The system is short of something that others will give back.
 * @param {string | undefined} code
 */
export const isPassing = (code) => code !== undefined && PASSING.has(code);

/** @type {Readonly<Record<string, string>>} */
const MEANING = {
  ENOENT: 'no such program, or its first line names an interpreter that is not there',
  EACCES: 'no permission to run it, or to enter its folder',
  EMFILE: 'no file handle was left until its time was up',
  EAGAIN: 'no process was to be had until its time was up',
  E2BIG: 'arguments and environment are larger than the system takes',
  ENOEXEC: 'not a program this system can run',
  ERR_INVALID_ARG_VALUE: 'an argument holds a NUL byte',
};

/** Once this process has run out of handles, it looks before it leaps. */
let isScarce = false;

/**
 * @typedef {{ kind: 'started', child: import('node:child_process').ChildProcess, cwd: string }} Started
 * @typedef {{ kind: 'failed', detail: string, cwd: string }} Failed
 */

/**
 * Starts a job's program in a group of its own. What passes (no file handle, no process to be had) is tried again
 * for as long as `mayRetry` says so.
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
    if (!again || !mayRetry()) return { kind: 'failed', detail: told(job.file, code, result), cwd };
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/**
 * A start fails in two ways: some errors are thrown on the spot, others are told later.
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
function told(file, code, error) {
  return `${code}: '${file.replaceAll('\0', '\\0')}' could not be started (${MEANING[code] ?? error.message})`;
}
