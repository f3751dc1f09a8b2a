/** Compares the usage that hooks get in real agents with the usage that the scripted model stated. */

import { describe, expect, test } from 'vitest';
import { AGENTS } from '../../src/agents/index.ts';
import type { Usage } from '../../src/index.ts';
import { put } from './guards.ts';
import { CHOSEN } from './packages.ts';
import { runAgent } from './run-agent.ts';

const REQUESTS = [
  { input: 1100, cached: 300, output: 41 },
  { input: 2200, cached: 500, output: 52 },
  { input: 3300, cached: 700, output: 63 },
] as const;
const SCRIPT = [
  { shell: 'echo one', usage: REQUESTS[0] },
  { shell: 'echo two', usage: REQUESTS[1] },
  { text: 'done', usage: REQUESTS[2] },
];

/** Writes each event with its usage to a file in the project. */
const RECORDER = `import { appendFileSync } from 'node:fs';
import { defineHook } from 'anyhook';
const record = ({ name, usage, scene }) => {
  appendFileSync(scene.cwd + '/usage.jsonl', JSON.stringify({ name, usage }) + '\\n');
};
export default ['tool.before', 'tool.after', 'turn.stop'].map((on) => defineHook({ on, name: 'record ' + on, run: record }));
`;
interface Line {
  readonly name: string;
  readonly usage?: Usage;
}
const BUDGET = {
  hooks: { 'tool.before': [{ name: 'budget', match: 'shell', limit: { tokens: 3000 } }] },
};

/** What is known when as many requests have ended. */
function known(requests: number) {
  const sum = (key: 'input' | 'cached' | 'output') =>
    REQUESTS.slice(0, requests).reduce((total, request) => total + request[key], 0);
  const last = REQUESTS[requests - 1]!;
  return {
    session: { inputTokens: sum('input'), cachedTokens: sum('cached'), outputTokens: sum('output') },
    last: { inputTokens: last.input, cachedTokens: last.cached, outputTokens: last.output },
    contextTokens: last.input + last.output,
  };
}
/** OpenCode reports a request when its calls have ended. The others have written it down before the call. */
const LAG: Readonly<Record<string, number>> = { opencode: 1 };

const REVEALING = CHOSEN.filter((agent) => AGENTS[agent].usage !== null);

describe.each(REVEALING)('in %s', (agent) => {
  test('each event carries the usage that the model has stated so far', async () => {
    const { lines, output } = await runAgent(
      agent,
      {
        script: SCRIPT,
        async prepare({ home, anyhook }) {
          put(home, '.config/anyhook/hooks/record.mjs', RECORDER);
          await anyhook(['install', agent, '--json']);
        },
      },
      ({ has, read, output: printed }) => ({
        output: printed,
        lines: has('usage.jsonl')
          ? read('usage.jsonl')
              .trim()
              .split('\n')
              .map((line) => JSON.parse(line) as Line)
          : [],
      }),
    );
    const calls = lines.filter(({ name }) => name === 'tool.before');
    const lag = LAG[agent] ?? 0;
    expect(calls.length, output).toBe(2);
    for (const [at, { usage }] of calls.entries())
      if (at + 1 - lag > 0) expect(usage, `call ${at + 1}`).toMatchObject(known(at + 1 - lag));
      else expect(usage).toEqual({});
    expect(lines.find(({ name }) => name === 'turn.stop')?.usage).toMatchObject(known(3));
  });

  test('a limit of tokens refuses the call at which they are used up, and no call before', async () => {
    const more = [
      { shell: 'touch first.txt', usage: { input: 1000, output: 10 } },
      { shell: 'touch second.txt', usage: { input: 1000, output: 10 } },
      { shell: 'touch third.txt', usage: { input: 1000, output: 10 } },
      { shell: 'touch fourth.txt', usage: { input: 1000, output: 10 } },
      { text: 'done' },
    ];
    const { ran, asked } = await runAgent(
      agent,
      {
        script: more,
        async prepare({ home, anyhook }) {
          put(home, '.config/anyhook/hooks.json', BUDGET);
          await anyhook(['install', agent, '--json']);
        },
      },
      ({ has, asked: text }) => ({
        ran: ['first', 'second', 'third', 'fourth'].filter((name) => has(`${name}.txt`)),
        asked: text,
      }),
    );
    const passing = ['first', 'second', 'third'].slice(0, 2 + (LAG[agent] ?? 0));
    expect(ran).toEqual(passing);
    expect(asked).toContain('from 3,000 tokens in this session');
  });
});
