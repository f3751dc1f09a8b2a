// Nobody listens: firing anyway.

import { createHooks } from '../../packages/anyhook/dist/index.js';
import { versus } from '../measure.mjs';
import { quiet } from '../open.mjs';

const hooks = await createHooks(quiet);
const event = { name: 'tool.before', payload: { tool: 'shell', input: { command: 'ls' } } };
const plain = (it) => Promise.resolve({ verdict: 'none', payload: it.payload });
const result = await versus(
  async (times) => {
    for (let i = 0; i < times; i++) await hooks.fire(event);
  },
  async (times) => {
    for (let i = 0; i < times; i++) await plain(event);
  },
  { times: 1_000_000 },
);
export default {
  name: 'nobody listens: `fire`',
  against: 'an awaited plain function',
  target: 6,
  ...result,
};
