/**
 * Plays the session of one developer in its own process: fires events of an agent through the hooks of this machine,
 * as its bridge would.
 */

import { createHooks } from 'anyhook';
import type { DemoMachine } from './folders.ts';

const { agent, home, cwd, managed, user } = JSON.parse(process.argv[2]!) as DemoMachine;

/** The tool calls of each agent, in its own tool names. */
const WORK: Readonly<Record<string, readonly (readonly [tool: string, input: object])[]>> = {
  'claude-code': [
    ['Bash', { command: 'npm test' }],
    ['Edit', { file_path: 'src/pay.ts', old_string: '1', new_string: '2' }],
    ['Bash', { command: 'git push --force origin main' }],
  ],
  codex: [
    ['shell', { command: 'git commit -am "wip"' }],
    ['shell', { command: 'git reset --hard HEAD~3 && git push -f' }],
    ['shell', { command: 'npm publish' }],
  ],
  opencode: [
    ['bash', { command: 'make build' }],
    ['bash', { command: 'npm publish --tag next' }],
    ['read', { filePath: 'README.md' }],
  ],
};

const hooks = await createHooks({
  host: { name: agent, can: { 'tool.before': { deny: 'full', ask: 'full', set: 'full' } } },
  home,
  cwd,
  managed,
  env: { PATH: process.env['PATH'], HOME: home },
  // `ship` sets the names of the demo's users and machines, so the real names stay out.
  journal: { origin: { machine: 'off', user: 'off' } },
});
for (const [at, [tool, input]] of (WORK[agent] ?? []).entries())
  await hooks.fire({
    name: 'tool.before',
    payload: { tool, input: { ...input } },
    ids: { session: `${agent}-of-${user}`, call: `call_${at + 1}` },
    scene: { cwd },
  });
await hooks.close();
for (const { message } of hooks.problems) process.stderr.write(`${message}\n`);
