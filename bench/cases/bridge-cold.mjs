// The same without an engine: our program is started for the event; and the first event, which starts the engine besides.
import { rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { bridgeWorld } from '../bridge-world.mjs';
import { versus } from '../measure.mjs';

const ROUNDS = { times: 2, rounds: 9 };

const [none, shell, module] = ['none', 'shell', 'module'].map((hook) => bridgeWorld({ hook }));
const silent = await versus(none.cold(), none.node, { times: 5, rounds: 11 });
const command = await versus(shell.cold(), shell.node, ROUNDS);
const typescript = await versus(module.cold(), module.node, ROUNDS);
const starting = module.cold('--engine', `start:${module.engine}`);
const first = await versus(
  (times) => {
    for (let i = 0; i < times; i++) {
      starting(1);
      spawnSync('pkill', ['-KILL', '-f', `engine-program.js ${module.engine}`]);
      rmSync(module.engine, { recursive: true, force: true });
    }
  },
  (times) => {
    for (let i = 0; i < times; i++) {
      module.cold()(1);
      spawnSync('pkill', ['-KILL', '-f', 'nobody-has-this-name']);
    }
  },
  ROUNDS,
);
for (const world of [none, shell, module]) world.close();

export default {
  name: 'bridge, cold: nobody listens',
  against: '`node -e 0`',
  target: 1.2,
  ...silent,
  also: [
    { name: 'bridge, cold: one shell hook', against: '`node -e 0`', target: 1.8, ...command },
    { name: 'bridge, cold: one TypeScript module', against: '`node -e 0`', target: 2, ...typescript },
    {
      name: 'bridge: the first event of a session, which starts the engine',
      against: 'the same event, cold',
      target: 1.1,
      ...first,
    },
  ],
};
