// Contenders of one case run interleaved, round by round, so that a busy machine slows all of them alike.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** @param {readonly number[]} list */
export const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

/** Fewer say nothing on a machine that others use too. */
const FEWEST = 7;

/** How far the rounds lie apart, for the table. @param {readonly number[]} list */
function spread(list) {
  if (list.length < FEWEST) throw new Error(`${list.length} rounds; at least ${FEWEST} are measured`);
  return { low: Math.min(...list), high: Math.max(...list), rounds: list.length };
}

/** A row of values: one per round. @param {readonly number[]} list */
export const valued = (list) => ({ value: median(list), ...spread(list) });

/** A row of ratios: nanoseconds of both, round by round. @param {readonly { ours: number, theirs: number }[]} list */
export function compared(list) {
  const ratios = list.map(({ ours, theirs }) => ours / theirs);
  return {
    oursNs: median(list.map(({ ours }) => ours)),
    theirsNs: median(list.map(({ theirs }) => theirs)),
    ratio: median(ratios),
    ...spread(ratios),
  };
}

/** A row of differences: what ours takes more, in microseconds. @param {readonly { ours: number, theirs: number }[]} list */
export function added(list) {
  const { oursNs, theirsNs } = compared(list);
  return { oursNs, theirsNs, ...valued(list.map(({ ours, theirs }) => (ours - theirs) / 1000)) };
}

/**
 * Both in turn, who goes first in turn too.
 * @param {{ ours: () => Promise<number> | number, theirs: () => Promise<number> | number }} both each says its nanoseconds
 * @param {{ rounds?: number, warm?: number }} options
 */
export async function interleaved(both, { rounds = 9, warm = 2 } = {}) {
  const list = [];
  for (let round = 0; round < rounds + warm; round++) {
    const took = {};
    for (const who of round % 2 === 0 ? ['ours', 'theirs'] : ['theirs', 'ours'])
      took[who] = await both[who]();
    if (round >= warm) list.push(took);
  }
  return list;
}

/**
 * Times two ways of doing a thing; each is given a number of repetitions and does them. One that has something to prepare in
 * between measures by itself, and returns milliseconds.
 * @param {(times: number) => unknown} ours
 * @param {(times: number) => unknown} theirs
 * @param {{ times: number, rounds?: number, warm?: number }} options
 */
export async function rounds(ours, theirs, { times, ...options }) {
  const timed = (work) => async () => {
    // Of young objects: nobody pays for what the other left behind. A full collection would throw away what V8 has learnt
    // of the code, and the round would measure how it learns that again.
    globalThis.gc?.({ type: 'minor' });
    const started = performance.now();
    const said = await work(times);
    const ms = typeof said === 'number' ? said : performance.now() - started;
    return (ms / times) * 1e6;
  };
  return await interleaved({ ours: timed(ours), theirs: timed(theirs) }, options);
}
/** @type {(...args: Parameters<typeof rounds>) => Promise<ReturnType<typeof compared>>} */
export const versus = async (...args) => compared(await rounds(...args));

/**
 * The same for contenders that would disturb each other, each in a process of its own: functions of a module that make, from
 * one word, what is called.
 * @typedef {{ file: string, name: string, word: string, times: number }} Contender
 * @param {Contender} ours
 * @param {Contender} theirs
 */
export async function apart(ours, theirs) {
  const [one, other] = [startContender(ours), startContender(theirs)];
  try {
    return compared(await interleaved({ ours: one.timed, theirs: other.timed }));
  } finally {
    one.end();
    other.end();
  }
}

/** @param {Contender} contender */
function startContender({ file, name, word, times }) {
  const child = fork(fileURLToPath(new URL('contender.mjs', import.meta.url)), [file, name, word], {
    execArgv: [], // a case is text that Node was given, this is a file
  });
  const timed = () =>
    new Promise((resolve, reject) => {
      const failed = (code) => reject(new Error(`${name} ended with ${code}`));
      child.once('exit', failed);
      child.once('message', (ms) => {
        child.off('exit', failed);
        resolve((ms / times) * 1e6);
      });
      child.send(times);
    });
  return { timed, end: () => child.kill() };
}
