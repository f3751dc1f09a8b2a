import { createRequire } from 'node:module';
import { AsyncSeriesBailHook } from 'tapable';
import { versus } from '../measure.mjs';
import { distinct, openWith } from '../open.mjs';

const { version } = createRequire(import.meta.url)('tapable/package.json');
const make = distinct('event.name;');
const hooks = await openWith(10, make);
const tapable = new AsyncSeriesBailHook(['event']);
for (let n = 0; n < 10; n++) tapable.tap(`h${n}`, make(n));
const event = { name: 'agent.start', payload: {} };
const result = await versus(
  async (times) => {
    for (let i = 0; i < times; i++) await hooks.fire(event);
  },
  async (times) => {
    for (let i = 0; i < times; i++) await tapable.promise(event);
  },
  { times: 500_000 },
);
export default {
  name: '10 synchronous hooks',
  against: `tapable ${version}'s AsyncSeriesBailHook`,
  target: 2.5,
  ...result,
};
