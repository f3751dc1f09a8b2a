/**
 * Processes of hooks that are started ahead and wait on stdin for the next event (`"warm": "prespawn"`), to
 * avoid the start-up time of an interpreter. Each serves one event, and then the next one is started.
 */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isAlive } from './processes.mjs';
import { start } from './start.mjs';
import { endTree, killTreesNow, processTreeOf } from './tree.mjs';

/** Maximum number of waiting processes; the oldest is ended first. */
const MOST = 8;
/** A process that was not used for this long is ended. */
const IDLE_MS = 10 * 60_000;
const END_MS = 1000;

/**
 * @typedef {import('./job.ts').Job} Job
 * @typedef {import('./job.ts').ReadyProgram} ReadyProgram
 * @typedef {ReadyProgram & { stamp: string, idle: NodeJS.Timeout }} Waiting
 */

/** @param {string} session part of the mark by which started processes are found */
export function waitingPrograms(session) {
  /** @type {Map<string, Waiting>} */
  const waiting = new Map();
  /** Commands that exit or fail instead of waiting for an event. They are started per event. */
  const unfit = new Set();
  let started = 0;
  let isClosed = false;

  /** @param {Waiting} program */
  const treeOf = ({ child, mark }) => processTreeOf(child.pid, mark);
  /** @param {string} key @returns {Waiting | undefined} */
  function remove(key) {
    const program = waiting.get(key);
    waiting.delete(key);
    clearTimeout(program?.idle);
    return program;
  }
  /** @param {string} key */
  function end(key) {
    const program = remove(key);
    if (program !== undefined) void endTree(treeOf(program), 0);
  }

  return {
    /**
     * Returns a process that was started with the same arguments, folder and environment, and whose files are
     * unchanged.
     * @param {Job} job
     * @returns {ReadyProgram | undefined}
     */
    take(job) {
      const key = keyOf(job);
      const program = waiting.get(key);
      if (program?.stamp !== stampOf(job)) return void end(key);
      // A process that has exited did not receive this event, so its exit is not an answer.
      return isLiving(program.child) ? remove(key) : undefined;
    },
    /** Starts a process for the next event. @param {Job} job */
    async refill(job) {
      const key = keyOf(job);
      if (isClosed || unfit.has(key) || waiting.has(key)) return;
      const stamp = stampOf(job);
      const mark = `${session}-w${++started}/`;
      const env = { ...job.env, ANYHOOK_RUN: (job.env['ANYHOOK_RUN'] ?? '') + mark };
      const result = await start(job, env, () => false);
      if (result.kind === 'failed') return; // the next event reports the error
      const idle = setTimeout(() => end(key), IDLE_MS);
      const program = { ...result, mark, stamp, idle };
      if (isClosed || waiting.has(key)) return void endTree(treeOf(program), 0);
      if (waiting.size >= MOST) end(/** @type {string} */ (waiting.keys().next().value));
      waiting.set(key, program);
      result.child.on('error', () => {});
      result.child.once('exit', () => {
        if (waiting.get(key) !== program) return;
        unfit.add(key);
        end(key); // with the processes that it left behind
      });
    },
    close() {
      isClosed = true;
      killTreesNow([...waiting.values()].map(treeOf), END_MS);
      waiting.clear();
    },
  };
}

/** @param {import('node:child_process').ChildProcess} child */
const isLiving = ({ pid, exitCode, signalCode }) =>
  exitCode === null && signalCode === null && pid !== undefined && isAlive(pid);

/** @param {Job} job */
const keyOf = ({ file, args, verbatim, cwd, env }) => JSON.stringify([file, args, verbatim, cwd, env]);

/**
 * Status of every file that the command names, except files that it writes. If one has changed, a new process
 * is needed.
 * @param {Job} job
 */
const stampOf = ({ file, args, cwd }) =>
  [file, ...args]
    .flatMap((word) => [word, ...word.replaceAll(/>+\s*\S+/g, ' ').split(/[\s"'`;|&<>()]+/)])
    .map((word) => {
      const status = word === '' ? undefined : statusOf(resolve(cwd, word));
      return status?.isFile() ? `${status.ino} ${status.size} ${status.mtimeMs} ${status.ctimeMs}` : '';
    })
    .join('\n');

/** @param {string} path */
function statusOf(path) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // not a path
  }
}
