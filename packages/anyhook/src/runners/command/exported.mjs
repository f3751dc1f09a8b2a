import { existsSync, statSync } from 'node:fs';

/**
 * @typedef {import('./job.ts').Job} Job
 * @typedef {import('./raw-reply.mjs').RawReply} RawReply
 * @typedef {import('../../events/exchange.ts').Notes} Notes
 */

const CAP = 1_048_576;
/** Variables of the shell itself, and our mark. */
const OWN = new Set(['_', 'PWD', 'OLDPWD', 'SHLVL', 'ANYHOOK_RUN']);
/** The lines are meant for the agent's shell, which is bash if available. */
const SHELL = ['/bin/bash', '/usr/bin/bash'];
/** `set -a`, because in the agent's shell a variable counts without `export` too. */
const SOURCE = 'set -a; . "$1" >/dev/null 2>&1; exec /usr/bin/env -0';

/**
 * Returns the variables that a hook's shell lines set. A shell reads the lines, because they may refer to
 * other variables or be the output of `export -p`. It runs in the hook's folder, with its environment and
 * within its time.
 * @param {Job} job
 * @param {Readonly<Record<string, string>>} env
 * @param {Notes | undefined} notes
 * @param {number} leftMs
 * @param {(shell: Job) => Promise<RawReply>} run
 * @returns {Promise<{ exported?: Readonly<Record<string, string>>, notes?: Notes }>}
 */
export async function exportedBy(job, env, notes, leftMs, run) {
  const file = env[job.exports ?? ''] ?? '';
  if (!holdsLines(file)) return {};
  const bash = SHELL.find((path) => existsSync(path));
  const { bare, printed } = await run({
    file: bash ?? 'sh',
    // If stdin is a socket and there is no parent shell, bash assumes a remote shell and reads the user's
    // `.bashrc`.
    args: [...(bash === undefined ? [] : ['--norc']), '-c', SOURCE, 'sh', file],
    cwd: job.cwd,
    env,
    timeoutMs: Math.max(1, leftMs),
    graceMs: 0,
    caps: { stdout: CAP, stderr: 0 },
  });
  const why = faultOf(bare);
  if (why !== undefined) return { notes: { ...notes, unexported: why } };
  return { exported: differences(printed?.stdout.toString('utf8') ?? '', env) };
}

/** @param {string} file */
function holdsLines(file) {
  try {
    return statSync(file).size > 0;
  } catch {
    return false; // the hook removed the file
  }
}

/** @param {RawReply['bare']} bare */
function faultOf(bare) {
  if (bare.kind === 'broken') return [bare.why.kind, bare.why.detail].filter(Boolean).join(': ');
  if (bare.code !== 0) return `the shell that read them exited with ${bare.code}`;
  return bare.notes?.truncated === undefined ? undefined : `they set more than ${CAP} bytes`;
}

/**
 * @param {string} listed
 * @param {Readonly<Record<string, string>>} before
 */
function differences(listed, before) {
  const now = listed
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => /** @type {const} */ ([nameIn(entry), entry.slice(nameIn(entry).length + 1)]));
  return Object.fromEntries(now.filter(([name, value]) => !OWN.has(name) && before[name] !== value));
}

/** @param {string} entry */
const nameIn = (entry) => entry.slice(0, entry.indexOf('='));
