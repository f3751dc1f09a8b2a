// Contenders of one case run interleaved, round by round, so that a busy machine slows all of them alike.

/** @param {number[]} list */
export const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

/**
 * Times two ways of doing a thing; each is given a number of repetitions and does them. One that has something to prepare in
 * between measures by itself, and returns milliseconds.
 * @param {(times: number) => unknown} ours
 * @param {(times: number) => unknown} theirs
 * @param {{ times: number, rounds?: number, warm?: number }} options
 */
export async function versus(ours, theirs, { times, rounds = 9, warm = 2 }) {
  const samples = { ours: [], theirs: [], ratios: [] };
  for (let round = 0; round < rounds + warm; round++) {
    const order = round % 2 === 0 ? ['ours', 'theirs'] : ['theirs', 'ours'];
    const took = {};
    for (const who of order) {
      globalThis.gc?.();
      const started = performance.now();
      const said = await (who === 'ours' ? ours(times) : theirs(times));
      const ms = typeof said === 'number' ? said : performance.now() - started;
      took[who] = (ms / times) * 1e6;
    }
    if (round < warm) continue;
    samples.ours.push(took.ours);
    samples.theirs.push(took.theirs);
    samples.ratios.push(took.ours / took.theirs);
  }
  return { oursNs: median(samples.ours), theirsNs: median(samples.theirs), ratio: median(samples.ratios) };
}
