import { resolve } from 'node:path';
import { took } from '../../events/took.mjs';
import { capture, FLOOD } from './capture.mjs';
import { deadline } from './deadline.mjs';
import { exportedBy } from './exported.mjs';
import { privateFiles } from './private-files.mjs';
import { lineEndsOf } from './shebang.mjs';
import { start } from './start.mjs';
import { endTree, killProcessGroup, processTreeOf } from './tree.mjs';

/** How long the pipes may stay open after the program has exited. */
const HELD_MS = 100;
/** Maximum grace period after the host aborts. */
const ABORT_GRACE_MS = 200;

/**
 * @typedef {import('./job.ts').Job} Job
 * @typedef {import('./job.ts').Watch} Watch
 * @typedef {import('./raw-reply.mjs').RawReply} RawReply
 * @typedef {import('../../events/exchange.ts').Notes} Notes
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Exit
 * @typedef {Buffer | import('node:stream').Readable | undefined} Stdin a stream if the input is not complete yet
 * @typedef {'closed' | 'held' | 'timed-out' | 'aborted' | 'flooded'} First
 */

/**
 * Runs one job until the last of its processes has ended, under one deadline. Never rejects: every result is
 * a reply.
 * @param {Job} job
 * @param {Stdin} stdin
 * @param {Watch} watch
 * @returns {Promise<RawReply>}
 */
export async function runChild(job, stdin, watch) {
  /** @type {(what: First) => void} */
  let settle = () => {};
  /** @type {Promise<First>} */
  const first = new Promise((yes) => (settle = yes));
  const limit = deadline(job.timeoutMs - (watch.waitedMs ?? 0), () => settle('timed-out'));
  const abort = () => settle('aborted');
  watch.signal.addEventListener('abort', abort, { once: true });
  if (watch.signal.aborted) abort();
  let removeFiles = () => {};
  try {
    const files = privateFiles(job.files, watch.mark);
    removeFiles = files.remove;
    const env = { ...job.env, ...files.env, ANYHOOK_RUN: (job.env['ANYHOOK_RUN'] ?? '') + watch.mark };
    const started = watch.ready ?? (await start(job, env, () => limit.leftMs() > 0 && !watch.signal.aborted));
    const notes = started.cwd === resolve(job.cwd) ? job.notes : { ...job.notes, cwd: started.cwd };
    if (started.kind === 'failed') {
      const kind = watch.signal.aborted ? 'aborted' : 'not-started';
      return broken({ kind, detail: lineEndsOf(job, undefined) ?? started.detail }, notes);
    }
    const raw = await attend(started.child, { job, stdin, watch, notes, first, settle });
    if (job.exports === undefined || raw.bare.kind !== 'exited') return raw;
    const evaluate = (/** @type {Job} */ shell) =>
      runChild(shell, undefined, { mark: watch.mark, signal: watch.signal });
    return {
      ...raw,
      bare: { ...raw.bare, ...(await exportedBy(job, env, raw.bare.notes, limit.leftMs(), evaluate)) },
    };
  } catch (error) {
    return broken({ kind: 'not-started', detail: /** @type {Error} */ (error).message }, job.notes);
  } finally {
    limit.cancel();
    watch.signal.removeEventListener('abort', abort);
    removeFiles();
  }
}

/**
 * Writes and reads the pipes of a started program, ends it at the deadline, and returns the reply.
 * @param {ChildProcess} child
 * @param {{ job: Job, stdin: Stdin, watch: Watch, notes: Notes | undefined, first: Promise<First>, settle: (what: First) => void }} run
 * @returns {Promise<RawReply>}
 */
async function attend(child, { job, stdin, watch, notes, first, settle }) {
  const pid = /** @type {number} */ (child.pid);
  watch.onStart?.(pid);
  const tree = processTreeOf(pid, watch.mark);
  const exit = listen(child, job.outlives === true, settle);
  const out = drain(child.stdout, job.caps.stdout, () => settle('flooded'));
  const err = drain(child.stderr, job.caps.stderr, () => settle('flooded'));
  feed(child.stdin, stdin);

  const came = await first;
  // The program had already exited; another process holds its pipes.
  const what = came !== 'closed' && exit.seen() !== undefined ? 'held' : came;
  const survivors = await end(tree, what, job.graceMs);
  if (what !== 'closed') await unread(); // closed pipes were read completely
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy();
  exit.forget();
  watch.onEnd?.(pid);
  return reply(what, exit.seen(), job, out(), err(), {
    ...notes,
    ...(survivors.length > 0 && { survivors }),
  });
}

/**
 * @param {ChildProcess} child
 * @param {boolean} outlives
 * @param {(what: First) => void} settle
 */
function listen(child, outlives, settle) {
  /** @type {Exit | undefined} */
  let exit;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  child.once('exit', (code, signal) => {
    exit = { code, signal };
    // A background run may leave processes that finish its work; its deadline still applies.
    if (!outlives) timer = setTimeout(() => void unread().then(() => settle('held')), HELD_MS);
  });
  child.once('close', () => settle('closed'));
  // An error after the start, such as an unsent signal, does not end the program.
  child.on('error', () => {});
  return { seen: () => exit, forget: () => clearTimeout(timer) };
}

/** Waits one turn of the event loop, in which everything already in a pipe is read. */
const unread = () => new Promise((done) => setImmediate(() => setImmediate(done)));

/**
 * @param {import('node:stream').Readable | null} pipe
 * @param {number} cap
 * @param {() => void} onFlood
 */
function drain(pipe, cap, onFlood) {
  const captured = capture(cap, onFlood);
  pipe?.on('data', captured.take);
  pipe?.on('error', () => {});
  return captured.bytes;
}

/**
 * @param {import('node:stream').Writable | null} pipe
 * @param {Stdin} stdin
 */
function feed(pipe, stdin) {
  // EPIPE: a program need not read its stdin.
  pipe?.on('error', () => {});
  if (stdin === undefined || stdin instanceof Uint8Array) pipe?.end(stdin);
  else if (pipe !== null) stdin.pipe(pipe);
}

/**
 * @param {import('./tree.mjs').Tree} tree
 * @param {First} what
 * @param {number} graceMs
 */
async function end(tree, what, graceMs) {
  if (what === 'closed') return [];
  if (what === 'held') return killProcessGroup(tree);
  if (what === 'flooded') return endTree(tree, 0);
  return endTree(tree, what === 'aborted' ? Math.min(graceMs, ABORT_GRACE_MS) : graceMs);
}

/**
 * @param {First} what
 * @param {Exit | undefined} exit
 * @param {Job} job
 * @param {{ bytes: Buffer, dropped: number }} out
 * @param {{ bytes: Buffer, dropped: number }} err
 * @param {Notes} found
 * @returns {RawReply}
 */
function reply(what, exit, job, out, err, found) {
  const cut = {
    ...(out.dropped > 0 && { stdout: out.dropped }),
    ...(err.dropped > 0 && { stderr: err.dropped }),
  };
  /** @type {Notes} */
  const notes = {
    ...found,
    ...(Object.keys(cut).length > 0 && { truncated: cut }),
    ...(what === 'held' && { held: true }),
  };
  const printed = { stdout: out.bytes, stderr: err.bytes };
  const why = breakage(what, exit, job);
  if (why !== undefined) return { ...broken(why, notes), printed };
  return { bare: { kind: 'exited', code: exit?.code ?? -1, ...noted(notes) }, printed };
}

/**
 * @param {First} what
 * @param {Exit | undefined} exit
 * @param {Job} job
 * @returns {import('../../events/exchange.ts').HookFailure | undefined}
 */
function breakage(what, exit, job) {
  if (what === 'timed-out') return { kind: 'timed-out', detail: `after ${took(job.timeoutMs)}` };
  if (what === 'aborted') return { kind: 'aborted' };
  if (what === 'flooded')
    return { kind: 'unreadable', detail: `printed more than ${FLOOD} times the output limit` };
  if (exit?.code == null) return { kind: 'killed', detail: exit?.signal ?? 'ended without a code' };
  const lineEnds = lineEndsOf(job, exit.code);
  return lineEnds === undefined ? undefined : { kind: 'not-started', detail: lineEnds };
}

/**
 * @param {import('../../events/exchange.ts').HookFailure} why
 * @param {Notes | undefined} notes
 * @returns {RawReply}
 */
const broken = (why, notes) => ({ bare: { kind: 'broken', why, ...noted(notes) } });

/** @param {Notes | undefined} notes */
const noted = (notes) => (notes !== undefined && Object.keys(notes).length > 0 ? { notes } : {});
