import { versus } from '../measure.mjs';
import { distinctAsync, openWith } from '../open.mjs';
import { plainLoop } from '../plain-loop.mjs';

const make = distinctAsync('event.name;');
const hooks = await openWith(10, make);
const plain = Array.from({ length: 10 }, (_, n) => ({ id: `h${n}`, run: make(n) }));
const event = { name: 'agent.start', payload: {} };
const result = await versus(
  async (times) => {
    for (let i = 0; i < times; i++) await hooks.fire(event);
  },
  async (times) => {
    for (let i = 0; i < times; i++) await plainLoop(plain, event);
  },
  { times: 20_000 },
);
export default {
  name: '10 asynchronous hooks',
  against: 'a plain loop with the same outcome',
  target: 3,
  ...result,
};
