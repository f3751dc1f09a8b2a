/**
 * `npm run test:clients`: real agents, all of them; `npm run test:clients -- qwen`: the part of one agent alone. A word that
 * is no agent's goes to vitest as it is.
 */

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const CONFIG = 'packages/anyhook/test/clients/vitest.config.ts';
/** What every agent is put through. */
const PARTS = [
  'bridges.test.ts',
  'broken.test.ts',
  'daemon.test.ts',
  'doctor.test.ts',
  'managed.test.ts',
  'custom-agent.test.ts',
  'variables.test.ts',
  'bang.test.ts',
  'additions.test.ts',
];

const agents = readdirSync(`${ROOT}packages/anyhook/src/agents`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
  .map(({ name }) => name);
const words = process.argv.slice(2);
const named = words.filter((word) => agents.some((agent) => agent.startsWith(word)));
const chosen = agents.filter((agent) =>
  named.some((word) => (agents.includes(word) ? agent === word : agent.startsWith(word))),
);
const rest = words.filter((word) => !named.includes(word));
const parts = chosen.length > 0 && rest.every((word) => word.startsWith('-')) ? PARTS : [];

const { status } = spawnSync(
  process.execPath,
  [`${ROOT}node_modules/vitest/vitest.mjs`, 'run', '--config', CONFIG, ...parts, ...rest],
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...(chosen.length > 0 && { CLIENTS: chosen.join(',') }) },
  },
);
process.exitCode = status ?? 1;
