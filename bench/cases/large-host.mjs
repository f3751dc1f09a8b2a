// A host with 1 GB of heap pays the same per hook as a small one, and its event loop is not held up.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from '../measure.mjs';

const child = (mb) =>
  new Promise((resolve) => {
    const process = fork(fileURLToPath(new URL('../large-host-child.mjs', import.meta.url)), [String(mb)], {
      execArgv: ['--max-old-space-size=6000'],
    });
    process.on('message', resolve);
  });
const rounds = [];
for (let i = 0; i < 3; i++) rounds.push({ small: await child(0), large: await child(1000) });
const ratio = median(rounds.map(({ small, large }) => large.hookMs / small.hookMs));
export default {
  name: 'a command hook from a host with 1 GB of heap',
  against: 'the same from a small host',
  target: 1.2,
  oursNs: median(rounds.map(({ large }) => large.hookMs)) * 1e6,
  theirsNs: median(rounds.map(({ small }) => small.hookMs)) * 1e6,
  ratio,
  also: {
    name: 'event loop held up per command hook, 1 GB host',
    unit: 'ms',
    target: 0.3,
    value: median(rounds.map(({ large }) => large.heldMs)),
  },
};
