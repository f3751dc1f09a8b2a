import { versus } from '../measure.mjs';
import { distinctAsync, openWith } from '../open.mjs';

const make = distinctAsync('event.name;');
const hooks = await openWith(10, make);
const plain = Array.from({ length: 10 }, (_, n) => make(n));
const event = { name: 'agent.start', payload: {} };
const result = await versus(
  async (times) => {
    for (let i = 0; i < times; i++) await hooks.fire(event);
  },
  async (times) => {
    for (let i = 0; i < times; i++) for (const fn of plain) await fn(event);
  },
  { times: 200_000 },
);
export default { name: '10 asynchronous hooks', against: 'a bare await loop', target: 2.5, ...result };
