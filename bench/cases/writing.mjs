// A dialect whose hooks may write: each gets a copy of the mutable fields, and the difference is its answer.

import { diff, EVENT_NAMES, EVERYTHING, makeEngine, runCall } from '../../packages/anyhook/dist/internals.js';
import { versus } from '../measure.mjs';

const dialect = {
  name: 'writing',
  words: Object.fromEntries(EVENT_NAMES.map((name) => [name, name === 'tool.before' ? ['before'] : null])),
  tools: {},
  can: EVERYTHING,
  sharing: () => ({ order: 'in-turn', sees: 'so-far', stopsOn: ['deny'], keep: 'all' }),
  failure: () => 'block',
  payload: {
    write: (event) => ({
      kind: 'call',
      args: [{ tool: event.payload.tool }, { args: structuredClone(event.payload.input) }],
    }),
  },
  output: { read: (reply, event) => ({ effects: diff('input', event.payload.input, reply.args[1].args) }) },
};
const input = {
  command: 'x'.repeat(1000),
  timeout: 5,
  description: 'a command',
  nested: { a: [1, 2, 3], b: 'text' },
};
const fns = Array.from({ length: 10 }, (_, n) => new Function('i', 'o', `o.args.timeout; // ${n}`));
const hooks = fns.map((fn, n) => ({
  id: `h${n}`,
  dialect: 'writing',
  on: 'before',
  origin: { layer: 'user', file: 'f', line: n },
  roles: ['mutator'],
  match: { kind: 'any' },
  run: { kind: 'call', fn },
  background: false,
  shadow: false,
  timeoutMs: 30_000,
}));
const engine = makeEngine({
  dialects: [dialect],
  hooks,
  services: {},
  run: (hook, request, limit) => runCall(hook.run, request, limit),
});
const event = {
  name: 'tool.before',
  payload: { tool: 'shell', input },
  ids: { session: 's' },
  scene: { cwd: '/' },
  round: 1,
};
const result = await versus(
  async (times) => {
    for (let i = 0; i < times; i++) await engine.fire(event);
  },
  async (times) => {
    for (let i = 0; i < times; i++)
      for (const fn of fns) {
        const args = [{ tool: 'shell' }, { args: structuredClone(input) }];
        await fn(...args);
        const left = structuredClone(args);
        diff('input', input, left[1].args);
      }
  },
  { times: 3000 },
);
export default {
  name: '10 hooks that may write',
  against: 'copying and comparing the mutable fields by hand',
  target: 1.3,
  ...result,
};
