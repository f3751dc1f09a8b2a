/**
 * The process that runs hooks for a host, so that a large host is never forked for one. It stays as long as the host
 * does. A host that says goodbye leaves those runs to it that may outlive the host, and whoever is to hear of their end is
 * told by us; a host that is gone without a word leaves nothing: everything that carries the session's mark is ended.
 *
 * 0: jobs in · 1: replies out · 3: control, for the few words that must not wait behind a large payload
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

// We are the helper that this word announces; what we start is not.
delete process.env['ANYHOOK_HELPER'];
const session = process.argv[2] ?? '';
// The sweep goes by this word: without it there is nothing that may be ended.
if (!/^[0-9a-f]{16}$/.test(session)) process.exit(2);
/** How long the last sweep may take. */
const SWEEP_MS = 2_000;
/** How long it may take to tell of an end. */
const TELL_MS = 30_000;

/** @type {Map<number, { abort: AbortController, outlives: boolean, mark: string, pid?: number }>} */
const runs = new Map();
/**
 * Runs that have ended, and that the host has not heard of yet.
 * @typedef {{ job: import('./job.ts').Job, raw: import('./raw-reply.mjs').RawReply, ms: number }} EndedRun
 * @type {Map<number, EndedRun>}
 */
const unheard = new Map();
/** Payloads whose pieces are still coming. @type {Map<number, PassThrough>} */
const payloads = new Map();
/** Ends that are being told in the host's place. */
let telling = 0;
/** Aborts that came before their job. @type {Set<number>} */
const early = new Set();
/** Jobs that no longer went through the pipe when the host left. @type {readonly string[]} */
let left = [];
/** The last run of each queue. @type {Map<string, Promise<unknown>>} */
const queues = new Map();
const waiting = waitingPrograms(session);
/** Since when we listen. Our own start is no hook's time. */
const listensMs = sharedClockMs() ?? 0;
let latest = 0;
let saidGoodbye = false;
let jobsEnded = false;
let controlEnded = false;

// Not `process.stdout`: that one waits for a slow reader, and nobody would watch the deadlines meanwhile.
const replies = new Socket({ fd: 1, readable: false, writable: true });
const control = new Socket({ fd: 3, readable: true, writable: false });
readFrames(process.stdin, (head, body) => ('piece' in head ? takePiece(head, body) : begin(head, body)));
readFrames(control, heed);
process.stdin.on('end', () => leave({ jobs: true }));
for (const pipe of [control, process.stdin]) pipe.on('error', () => leave({ control: true }));
control.on('end', () => leave({ control: true }));
// A host that is gone cannot be told anything; the control pipe says the rest.
replies.on('error', () => {});

/**
 * @param {import('./job.ts').JobHead} head
 * @param {Buffer} body
 */
function begin({ id, hasStdin, inPieces, sentMs, job: rest, env }, body) {
  const job = { ...rest, env };
  // Whoever waits for it has waited since it was sent, behind the large payloads of others too.
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
  const payload = payloads.get(id); // none: its hook has ended meanwhile
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
  // What was handed over before the goodbye may still lie in the pipe.
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
  // The host may have closed us and still wait for the last reply.
  replies.end(() => process.exit(0));
}

/**
 * The host is gone: who stands in for it gets the reply.
 * @param {EndedRun} ended
 */
function tell({ job, raw, ms }) {
  telling++;
  let isTold = false;
  const done = () => {
    if (isTold) return; // a start that fails is told once or twice
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
