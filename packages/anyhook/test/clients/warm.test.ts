/** In real agents that start a command per event, the engine answers once it is there: one process for many events. */
import { expect, test } from 'vitest';
import { AGENTS } from '../../src/agents/index.ts';
import { CHOSEN } from './packages.ts';
import { put } from './guards.ts';
import { runAgent } from './run-agent.ts';

const STARTS_COMMANDS = CHOSEN.filter((name) => AGENTS[name].inside === null);

/** Long enough for an engine to start, and for its session to open. */
const CALLS = 12;
const SCRIPT = [
  ...Array.from({ length: CALLS }, (_, i) => ({ shell: `sleep 1; echo ${i} >> calls.txt` })),
  { text: 'done' },
];

/** Writes down which process it is, and how many events that has seen. */
const MODULE = (log: string) => `import { appendFileSync } from 'node:fs';
import { defineHook } from 'anyhook';
let events = 0;
export default defineHook({
  on: 'tool.before',
  run: () => void appendFileSync(${JSON.stringify(log)}, \`\${process.pid} \${++events}\\n\`),
});
`;

test.concurrent.each(STARTS_COMMANDS)('%s', async (agent) => {
  // most of it is waiting
  const { calls, seen, output } = await runAgent(
    agent,
    {
      script: SCRIPT,
      async prepare({ home, project, anyhook }) {
        put(home, '.config/anyhook/hooks/counting.ts', MODULE(`${project}/seen.txt`));
        await anyhook(['install', agent, '--json']);
      },
    },
    ({ has, read, output: said }) => ({
      calls: has('calls.txt') ? read('calls.txt').trim().split('\n').length : 0,
      seen: has('seen.txt') ? read('seen.txt').trim().split('\n') : [],
      output: said,
    }),
  );
  // Each call was judged once, the first of them by a program of its own, the later ones by one process that stays.
  expect([calls, seen.length, seen[0]?.split(' ')[1]], output).toEqual([CALLS, CALLS, '1']);
  expect(
    seen.some((line) => Number(line.split(' ')[1]) >= 2),
    seen.join('\n'),
  ).toBe(true);
});
