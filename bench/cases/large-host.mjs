// A host with 1 GB of heap pays the same per hook as a small one, and its event loop is not held up.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compared, valued } from '../measure.mjs';

const child = (mb) =>
  new Promise((resolve) => {
    const process = fork(fileURLToPath(new URL('../large-host-child.mjs', import.meta.url)), [String(mb)], {
      execArgv: ['--max-old-space-size=6000'],
    });
    process.on('message', resolve);
  });
const rounds = [];
for (let i = 0; i < 7; i++) rounds.push({ small: await child(0), large: await child(1000) });
export default {
  name: 'a command hook from a host with 1 GB of heap',
  against: 'the same from a small host',
  target: 1.2,
  ...compared(rounds.map(({ small, large }) => ({ ours: large.hookMs * 1e6, theirs: small.hookMs * 1e6 }))),
  also: {
    name: 'event loop held up per command hook, 1 GB host',
    unit: 'ms',
    target: 0.3,
    ...valued(rounds.map(({ large }) => large.heldMs)),
  },
};
