// The same without an engine: our program is started for the event; and the first event, which starts the engine besides.
import { bridgeWorld } from '../bridge-world.mjs';
import { versus } from '../measure.mjs';

const ROUNDS = { times: 2, rounds: 9 };

const [none, shell, module] = ['none', 'shell', 'module'].map((hook) => bridgeWorld({ hook }));
const silent = await versus(none.cold(), none.node, { times: 5, rounds: 11 });
const command = await versus(shell.cold(), shell.node, ROUNDS);
const typescript = await versus(module.cold(), module.node, ROUNDS);
const starting = module.cold('--engine', `start:${module.engine}`);
/** @param {(times: number) => void} fire */
const firstOfAll = (fire) => async (times) => {
  let ms = 0;
  for (let i = 0; i < times; i++) {
    await module.withoutEngine();
    const began = performance.now();
    fire(1);
    ms += performance.now() - began;
  }
  return ms;
};
const first = await versus(firstOfAll(starting), firstOfAll(module.cold()), ROUNDS);
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
