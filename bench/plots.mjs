// `npm run bench:plots`: what a fire costs against the number of hooks, the size of the payload and of the host; and the bridge
// beside what else could be started. Into docs/plots, with the numbers in the pictures themselves.

import { execFileSync, fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bridgeWorld } from './bridge-world.mjs';
import { bars, lines } from './draw.mjs';
import { median } from './measure.mjs';
import { distinct, distinctAsync, openWith } from './open.mjs';
import { peer } from './peers.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const put = (name, svg) => writeFileSync(here(`../docs/plots/${name}.svg`), svg);
mkdirSync(here('../docs/plots'), { recursive: true });

/** Milliseconds of one; contenders in turn, so that a busy machine slows all of them alike. */
async function timed(contenders, rounds) {
  const took = contenders.map(() => []);
  for (let round = -2; round < rounds; round++)
    for (const [i, contender] of contenders.entries()) {
      const began = performance.now();
      await contender();
      if (round >= 0) took[i].push(performance.now() - began);
    }
  return took.map(median);
}

const COUNTS = [1, 10, 100, 1000];
const event = { name: 'agent.start', payload: {} };
const fired = async (make) => {
  const opened = await Promise.all(COUNTS.map((count) => openWith(count, make)));
  const TIMES = 200;
  const ms = await timed(
    opened.map((hooks) => async () => {
      for (let i = 0; i < TIMES; i++) await hooks.fire(event);
    }),
    9,
  );
  return COUNTS.map((count, i) => [count, (ms[i] / TIMES) * 1000]);
};
put(
  'hooks',
  lines({
    title: 'One fire, by the number of hooks it asks (in process)',
    x: 'hooks',
    y: 'µs',
    series: [
      { name: 'synchronous', points: await fired(distinct('event.name;')) },
      { name: 'asynchronous', points: await fired(distinctAsync('event.name;')) },
    ],
  }),
);

const world = bridgeWorld({ hook: 'module' });
await world.rest();
const SIZES = [200, 1000, 10_000, 100_000];
const once = (run) => () => run(1);
const payloads = await timed(
  SIZES.map((size) => once(world.line(world.payload({ padding: 'x'.repeat(size) })))),
  15,
);
put(
  'payload',
  lines({
    title: "An agent's event through the daemon, by the size of its payload",
    x: 'bytes',
    y: 'ms',
    series: [{ name: 'one TypeScript module', points: SIZES.map((size, i) => [size, payloads[i]]) }],
  }),
);

/** The interpreter itself, not a version manager's shim before it. */
const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
  encoding: 'utf8',
}).trim();
/** What its own `install` has an agent start for each event; the others of its kind are not on npm. */
const rival = peer('cc-safety-net');
if (rival === undefined) process.stderr.write('without cc-safety-net: `npm run bench:peers` brings it\n');
const STARTED = [
  ['sh -c :', world.sh(':')],
  ['anyhook, the daemon answers', world.line()],
  ['python3 -c 0', world.sh(`exec ${python} -c 0`)],
  ['node -e 0', world.node],
  ['anyhook, without the daemon', world.direct],
  ...(rival === undefined
    ? []
    : [
        [
          `cc-safety-net ${rival.version}`,
          world.program(join(rival.folder, 'dist/bin/cc-safety-net.js'), 'hook', '--claude-code'),
        ],
      ]),
];
const started = await timed(
  STARTED.map(([, run]) => once(run)),
  15,
);
world.close();
put(
  'bridge',
  bars({
    title: 'What an agent waits for at each event',
    unit: 'ms',
    bars: STARTED.map(([name], i) => ({ name, value: started[i], isOurs: name.startsWith('anyhook') })),
  }),
);

const heldBy = (mb) =>
  new Promise((resolve) =>
    fork(here('large-host-child.mjs'), [String(mb)], { execArgv: ['--max-old-space-size=6000'] }).on(
      'message',
      resolve,
    ),
  );
const HEAPS = [10, 100, 1000];
const hosts = [];
for (const mb of HEAPS) hosts.push(await heldBy(mb));
put(
  'heap',
  lines({
    title: 'One command hook, by the heap of the host',
    x: 'MB',
    y: 'ms',
    series: [
      { name: 'the hook', points: HEAPS.map((mb, i) => [mb, hosts[i].hookMs]) },
      { name: 'event loop held up', points: HEAPS.map((mb, i) => [mb, hosts[i].heldMs]) },
    ],
  }),
);
process.exit(0);
