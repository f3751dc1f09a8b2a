// 10,000 hooks, one tool: selection when the tool was seen before.

import { anyhook, hookFromDefinition, makePlans } from '../../packages/anyhook/dist/internals.js';
import { versus } from '../measure.mjs';

const MATCHERS = [
  (n) => `tool_${n}`,
  (n) => `tool_${n}|shell_${n}`,
  (n) => `/^mcp__s${n}__.*/`,
  () => undefined,
];
const hooks = Array.from({ length: 10_000 }, (_, n) => {
  const match = n % 20 === 0 ? undefined : MATCHERS[n % 3](n);
  const spec = { on: 'tool.before', name: `h${n}`, ...(match && { match }) };
  return hookFromDefinition(
    spec,
    `h${n}`,
    { layer: 'user', file: 'f', line: n },
    { kind: 'call', direct: true, fn() {} },
  ).hook;
});
const plans = makePlans({ dialects: [anyhook], hooks, run: async () => {}, services: {} });
const names = ['shell', 'read', 'write', 'mcp__s7__x'];
const events = names.map((tool) => ({
  name: 'tool.before',
  payload: { tool, input: {} },
  ids: { session: 's' },
  scene: { cwd: '/' },
  round: 1,
}));
const map = new Map(names.map((name) => [name, { name }]));
let seen = 0;
const result = await versus(
  (times) => {
    for (let i = 0; i < times; i++) seen += plans.of(events[i & 3]).groups.length;
  },
  (times) => {
    for (let i = 0; i < times; i++) seen += map.get(names[i & 3]).name.length;
  },
  { times: 5_000_000 },
);
export default {
  name: 'selection among 10,000 hooks, warm',
  against: 'a `Map.get`',
  target: 3,
  ...result,
  seen,
};
