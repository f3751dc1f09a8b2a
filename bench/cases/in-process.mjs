// Agents that load us: what one call costs more with ten hooks than with none, through the very function that each of them calls.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from '../../packages/anyhook/dist/in-process/open.js';
import { removeTree } from '../../packages/anyhook/dist/internals.js';
import { valued } from '../measure.mjs';

const CALLS = 300;
const ROUNDS = 7;
const root = mkdtempSync(join(tmpdir(), 'anyhook-inside-'));
const project = join(root, 'project');
mkdirSync(project);

/** A home with so many typed hooks, and the agent's own call of us in it. */
async function agentWith(name, count) {
  const home = join(root, `${name}-${count}`);
  mkdirSync(join(home, '.config/anyhook/hooks'), { recursive: true });
  for (let i = 0; i < count; i++)
    writeFileSync(
      join(home, `.config/anyhook/hooks/h${i}.ts`),
      `import { defineHook, deny } from 'anyhook';
export default defineHook({
  on: 'tool.before',
  match: 'shell',
  run: (event) => (event.payload.input['command'] === 'no' ? deny('no') : undefined),
});
`,
    );
  process.env.HOME = home;
  const call = await INSIDE[name]();
  // The first call opens the hooks; and they are asked, or nothing would be measured.
  const isRefused = await call('no').then(
    (said) => said?.block === true,
    () => true,
  );
  if (isRefused !== count > 0) throw new Error(`${name} with ${count} hooks: refused ${isRefused}`);
  return () => call('ls');
}
const piLike = (name) => async () => {
  const listeners = new Map();
  await open(name, { on: (word, listener) => listeners.set(word, listener) });
  const context = { cwd: project, sessionManager: { getSessionId: () => 's' } };
  let calls = 0;
  return async (command) =>
    listeners.get('tool_call')(
      { type: 'tool_call', toolName: 'bash', toolCallId: `c${calls++}`, input: { command } },
      context,
    );
};
const INSIDE = {
  async opencode() {
    const plugin = await open('opencode', { directory: project });
    let calls = 0;
    return async (command) =>
      plugin['tool.execute.before'](
        { tool: 'bash', sessionID: 's', callID: `c${calls++}` },
        { args: { command } },
      );
  },
  pi: piLike('pi'),
  'oh-my-pi': piLike('oh-my-pi'),
};

async function msPerCall(call) {
  const began = performance.now();
  for (let i = 0; i < CALLS; i++) await call();
  return (performance.now() - began) / CALLS;
}

const rows = [];
for (const name of Object.keys(INSIDE)) {
  const [none, ten] = [await agentWith(name, 0), await agentWith(name, 10)];
  await msPerCall(ten);
  const more = [];
  for (let round = 0; round < ROUNDS; round++) more.push(-(await msPerCall(none)) + (await msPerCall(ten)));
  rows.push({
    name: `in ${name}: one call with ten typed hooks, record written`,
    against: 'the same with no hooks',
    unit: 'ms more',
    target: 1,
    ...valued(more),
  });
}
removeTree(root);
const [first, ...also] = rows;
export default { ...first, also };
