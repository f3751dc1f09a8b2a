/**
 * The helper process that runs hooks for a host, so that a large host never has to fork for one. It lives as
 * long as the host. After a goodbye it finishes the background runs and passes their results on. If the host
 * ends without a goodbye, it kills every process with the session's mark.
 * Pipes: 0 jobs, 1 replies, 3 control, for the few messages that must not wait behind a large payload.
 */

import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { runChild } from './child.mjs';
import { sharedClockMs } from './deadline.mjs';
import { frame, parseFrame, readFrames } from './frames.mjs';
import { removePrivateFiles } from './private-files.mjs';
import { decodeReply } from './raw-reply.mjs';
import { killTreesNow, processTreeOf } from './tree.mjs';
import { waitingPrograms } from './waiting.mjs';

// This process is the helper that the variable announces; the hooks that it starts are not.
delete process.env['ANYHOOK_HELPER'];
const session = process.argv[2] ?? '';
// The session id identifies the processes to kill, so it must be valid.
if (!/^[0-9a-f]{16}$/.test(session)) process.exit(2);
/** Time limit of the last sweep. */
const SWEEP_MS = 2_000;
/** Time limit for passing a result on. */
const TELL_MS = 30_000;

/** @type {Map<number, { abort: AbortController, outlives: boolean, mark: string, pid?: number }>} */
const runs = new Map();
/**
 * Finished runs that the host has not acknowledged yet.
 * @typedef {{ job: import('./job.ts').Job, raw: import('./raw-reply.mjs').RawReply, ms: number }} EndedRun
 * @type {Map<number, EndedRun>}
 */
const unheard = new Map();
/** Payloads that are still being received. @type {Map<number, PassThrough>} */
const payloads = new Map();
/** Number of results being passed on in the host's place. */
let telling = 0;
/** Aborts that arrived before their job. @type {Set<number>} */
const early = new Set();
/** Files with jobs that did not fit through the pipe before the host ended. @type {readonly string[]} */
let left = [];
/** The last run of each queue. @type {Map<string, Promise<unknown>>} */
const queues = new Map();
const waiting = waitingPrograms(session);
/** Start of listening. The helper's own start-up time is not charged to hooks. */
const listensMs = sharedClockMs() ?? 0;
let latest = 0;
let saidGoodbye = false;
let jobsEnded = false;
let controlEnded = false;

// Not `process.stdout`, which blocks for a slow reader; deadlines would not be watched meanwhile.
const replies = new Socket({ fd: 1, readable: false, writable: true });
const control = new Socket({ fd: 3, readable: true, writable: false });
readFrames(process.stdin, (head, body) => ('piece' in head ? takePiece(head, body) : begin(head, body)));
readFrames(control, heed);
process.stdin.on('end', () => leave({ jobs: true }));
for (const pipe of [control, process.stdin]) pipe.on('error', () => leave({ control: true }));
control.on('end', () => leave({ control: true }));
// The host is gone; the control pipe reports that.
replies.on('error', () => {});

/**
 * @param {import('./job.ts').JobHead} head
 * @param {Buffer} body
 */
function begin({ id, hasStdin, inPieces, sentMs, job: rest, env }, body) {
  const job = { ...rest, env };
  // Includes the time that the job waited behind large payloads of others.
  const waitedMs = job.outlives || sentMs === undefined ? 0 : sinceMs(Math.max(sentMs, listensMs));
  const abort = new AbortController();
  const ready = job.prespawn === true ? waiting.take(job) : undefined;
  const mark = ready?.mark ?? `${session}-${id}/`;
  /** @type {{ abort: AbortController, outlives: boolean, mark: string, pid?: number }} */
  const run = { abort, outlives: job.outlives === true, mark };
  runs.set(id, run);
  latest = id;
  if (early.delete(id)) abort.abort();
  if (inPieces) payloads.set(id, new PassThrough());
  const stdin = payloads.get(id) ?? (hasStdin ? body : undefined);
  let startedMs = 0;
  const start = () => {
    startedMs = performance.now();
    return runChild(job, stdin, {
      mark,
      waitedMs,
      signal: abort.signal,
      onStart: (pid) => (run.pid = pid),
      ready,
    });
  };
  void inQueue(job.queue, start).then((raw) => {
    runs.delete(id);
    payloads.delete(id);
    if (job.afterwards !== undefined) unheard.set(id, { job, raw, ms: performance.now() - startedMs });
    const { bare, printed } = raw;
    const parts = printed === undefined ? [] : [printed.stdout, printed.stderr];
    for (const part of frame({ id, bare, stdout: parts[0]?.length }, ...parts)) replies.write(part);
    if (job.prespawn === true) void waiting.refill(job);
    leave({});
  });
}

/**
 * @param {import('./piecewise.ts').PieceHead} head
 * @param {Buffer} body
 */
function takePiece({ id, piece }, body) {
  const payload = payloads.get(id); // undefined if its hook has already ended
  payload?.write(body);
  if (piece === 'last') payload?.end();
}

/** @param {number} ms */
const sinceMs = (ms) => Math.max(0, (sharedClockMs() ?? ms) - ms);

/**
 * @template T
 * @param {string | undefined} queue
 * @param {() => Promise<T>} start never rejects
 */
function inQueue(queue, start) {
  if (queue === undefined) return start();
  const done = queues.get(queue)?.then(start) ?? start();
  queues.set(queue, done);
  void done.then(() => void (queues.get(queue) === done && queues.delete(queue)));
  return done;
}

/** @param {{ kind: 'abort' | 'heard', id: number } | { kind: 'goodbye', left: readonly string[] }} word */
function heed(word) {
  if (word.kind === 'goodbye') [saidGoodbye, left] = [true, word.left];
  else if (word.kind === 'heard') unheard.delete(word.id);
  else if (runs.has(word.id)) runs.get(word.id)?.abort.abort();
  else if (word.id > latest) early.add(word.id);
}

/** @param {{ jobs?: true, control?: true }} ended */
function leave(ended) {
  jobsEnded ||= ended.jobs === true;
  controlEnded ||= ended.control === true;
  if (!controlEnded) return;
  if (!saidGoodbye) {
    const leaders = [...runs.values()].map(({ pid, mark }) => processTreeOf(pid, mark));
    killTreesNow([...leaders, processTreeOf(undefined, `${session}-`)], SWEEP_MS);
    removePrivateFiles(session);
    process.exit(0);
  }
  // Jobs sent before the goodbye may still be in the pipe.
  if (!jobsEnded) return;
  takeUp();
  waiting.close();
  const ending = [...runs].filter(([, run]) => !run.outlives);
  killTreesNow(
    ending.map(([, { pid, mark }]) => processTreeOf(pid, mark)),
    SWEEP_MS,
  );
  for (const [id, run] of ending) {
    run.abort.abort();
    runs.delete(id);
  }
  for (const [id, ended] of unheard) {
    unheard.delete(id);
    tell(ended);
  }
  if (runs.size > 0 || telling > 0) return;
  removePrivateFiles(session);
  // The host may have closed this helper and still wait for the last reply.
  replies.end(() => process.exit(0));
}

/**
 * Passes the result to the program that takes over for the host.
 * @param {EndedRun} ended
 */
function tell({ job, raw, ms }) {
  telling++;
  let isTold = false;
  const done = () => {
    if (isTold) return; // a failed start may emit both events
    isTold = true;
    telling--;
    leave({});
  };
  const { program, input } = /** @type {import('./job.ts').Afterwards} */ (job.afterwards);
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'ignore', 'ignore'], timeout: TELL_MS });
  for (const word of ['error', 'close']) child.once(word, done);
  child.stdin?.on('error', () => {});
  child.stdin?.end(JSON.stringify({ input, reply: decodeReply(raw), ms }));
}

function takeUp() {
  for (const path of left) {
    const { head, body } = parseFrame(readFileSync(path));
    rmSync(path);
    if (head.id > latest) begin(head, body);
  }
  left = [];
}
