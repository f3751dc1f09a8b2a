/** One daemon serves agents that start a command per event, and one process has the modules of a session. */

import { closeSync, openSync, readSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AGENTS } from '../../src/agents/index.ts';
import { clientFile } from '../../src/agents/shared/client-command.ts';
import { put } from './guards.ts';
import { CLIENT_KIND } from './package-under-test.ts';
import { CHOSEN } from './packages.ts';
import { runAgent } from './run-agent.ts';

const STARTS_COMMANDS = CHOSEN.filter((name) => AGENTS[name].inside === null);

const CALLS = 5;
const SCRIPT = [
  ...Array.from({ length: CALLS }, (_, i) => ({ shell: `echo ${i} >> calls.txt` })),
  { text: 'done' },
];

/** Writes its process id and the number of calls it has judged. */
const COUNTING = (log: string) => `import { appendFileSync } from 'node:fs';
import { defineHook } from 'anyhook';
let calls = 0;
const listen = (on, count) => defineHook({
  on,
  run: () => void appendFileSync(${JSON.stringify(log)}, \`\${process.pid} \${on} \${count()}\\n\`),
});
export default [
  ...['session.start', 'prompt.submit', 'tool.after', 'turn.stop'].map((on) => listen(on, () => calls)),
  listen('tool.before', () => ++calls),
];
`;

test.skipIf(STARTS_COMMANDS.length > 0)('no selected agent starts a command for every event', () => {});

test.each(STARTS_COMMANDS)(
  'one daemon and one process answer the calls of a session of %s',
  async (agent) => {
    let header = '';
    const { calls, lines, daemon, output } = await runAgent(
      agent,
      {
        script: SCRIPT,
        async prepare({ home, project, anyhook }) {
          put(home, '.config/anyhook/hooks/counting.ts', COUNTING(`${project}/seen.txt`));
          await anyhook(['install', agent, '--json']);
          header = firstBytes(clientFile({ home }));
        },
      },
      ({ has, read, ...played }) => ({
        ...played,
        calls: has('calls.txt') ? read('calls.txt').trim().split('\n').length : 0,
        lines: has('seen.txt') ? read('seen.txt').trim().split('\n') : [],
      }),
    );
    expect(header === '#!/bin/sh' ? 'node' : 'native').toBe(CLIENT_KIND);
    expect(calls, output).toBe(CALLS);
    const judged = lines.filter((line) => line.includes('tool.before')).map((line) => line.split(' '));
    expect(judged.map(([, , count]) => Number(count))).toEqual(
      Array.from({ length: CALLS }, (_, i) => i + 1),
    );
    expect(new Set(judged.map(([pid]) => pid)).size).toBe(1);
    expect(daemon?.events, output).toBeGreaterThanOrEqual(2 * CALLS);
  },
);

function firstBytes(file: string): string {
  const bytes = Buffer.alloc(9);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, bytes);
  closeSync(descriptor);
  return bytes.toString('latin1');
}
