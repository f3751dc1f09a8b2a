// Nobody listens: asking first.

import { createHooks } from '../../packages/anyhook/dist/index.js';
import { versus } from '../measure.mjs';
import { quiet } from '../open.mjs';

// Both stand where a host would keep them. `wants` is one object for good: a reload writes it anew.
const { wants } = await createHooks(quiet);
const agent = { wants, listeners: { toolBefore: undefined } };
let seen = 0;
const result = await versus(
  (times) => {
    for (let i = 0; i < times; i++) if (agent.wants['tool.before']) seen++;
  },
  (times) => {
    for (let i = 0; i < times; i++) if (agent.listeners.toolBefore !== undefined) seen++;
  },
  { times: 20_000_000 },
);
export default {
  name: 'nobody listens: `hooks.wants`',
  against: 'a property check',
  target: 1.3,
  ...result,
  seen,
};
