/** Compares the usage that hooks get in real agents with the usage that the scripted model stated. */

import { isDeepStrictEqual } from 'node:util';
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
/** Some agents write their transcript in the background, and models take longer than that. */
const THINKING_MS = 1000;
const SCRIPT = [
  { shell: 'echo one', usage: REQUESTS[0] },
  { shell: 'echo two', usage: REQUESTS[1], delayMs: THINKING_MS },
  { text: 'done', usage: REQUESTS[2], delayMs: THINKING_MS },
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
const isKnown = (usage: Usage | undefined, requests: number): boolean => {
  const { session, last, contextTokens } = usage ?? {};
  // The scripted model is free of charge.
  const { costUsd: _, ...totals } = session ?? {};
  return isDeepStrictEqual({ session: totals, last, contextTokens }, known(requests));
};

const REVEALING = CHOSEN.filter((agent) => AGENTS[agent].usage !== null);

describe.each(REVEALING)('in %s', (agent) => {
  test('each event carries the usage that the model has stated, up to the last request or the one before', async () => {
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
    expect(lines.map(({ name }) => name).filter((name) => name === 'tool.before').length, output).toBe(2);
    let requests = 0;
    let least = 0;
    for (const { name, usage } of lines) {
      if (name !== 'tool.after') requests++;
      // An agent may write a request down while its calls run already.
      const stated = [requests, requests - 1].find((number) => number > 0 && isKnown(usage, number)) ?? 0;
      if (stated === 0) expect([usage, requests], JSON.stringify(lines)).toEqual([{}, 1]);
      expect(stated).toBeGreaterThanOrEqual(least);
      least = stated;
    }
    expect(least, JSON.stringify(lines.at(-1))).toBeGreaterThanOrEqual(2);
  });

  test('a limit of tokens refuses calls at the latest one request after they are used up, and no call before', async () => {
    const more = [
      ...(['first', 'second', 'third', 'fourth'] as const).map((name) => ({
        shell: `touch ${name}.txt`,
        usage: { input: 1000, output: 10 },
        delayMs: THINKING_MS,
      })),
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
    expect(
      [
        ['first', 'second'],
        ['first', 'second', 'third'],
      ],
      asked.slice(-3000),
    ).toContainEqual(ran);
    expect(asked).toContain('from 3,000 tokens in this session');
  });
});
