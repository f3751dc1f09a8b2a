// One payload is put into words once, however many command hooks get it.

import { anyhook } from '../../packages/anyhook/dist/internals.js';
import { versus } from '../measure.mjs';

const hook = (n) => ({
  id: `h${n}`,
  on: 'tool.before',
  run: { kind: 'command', run: { line: 'true' }, env: 'inherit' },
});
const event = () => ({
  name: 'tool.before',
  payload: { tool: 'write', input: { path: 'a', content: 'x'.repeat(2_000_000) } },
  ids: { session: 's' },
  scene: { cwd: '/' },
  round: 1,
});
const hooks = Array.from({ length: 10 }, (_, n) => hook(n));
const result = await versus(
  (times) => {
    for (let i = 0; i < times; i++) {
      const one = event();
      for (const each of hooks) anyhook.payload.write(one, each);
    }
  },
  (times) => {
    for (let i = 0; i < times; i++) anyhook.payload.write(event(), hooks[0]);
  },
  { times: 20 },
);
export default { name: 'a 2 MB payload for 10 command hooks', against: 'for one', target: 1.1, ...result };
