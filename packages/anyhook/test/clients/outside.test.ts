/** Every test of this suite asserts that only loopback is contacted. This test checks that assertion. */

import { expect, test } from 'vitest';
import { query } from '../../src/agents/claude-agent-sdk/api/index.ts';
import { Outside } from './outside.ts';
import { claude } from './packages.ts';
import { stage } from './stage.ts';

test('a CLI that contacts the internet is detected and blocked', async () => {
  const { project, env } = await stage();
  const { ANTHROPIC_BASE_URL: _scripted, ...without } = env;
  const [door, heard] = [new Outside(), new AbortController()];
  door.onReach = () => heard.abort();
  const options = {
    pathToClaudeCodeExecutable: await claude(),
    cwd: project,
    env: { ...without, ...(await door.open()) },
    signal: AbortSignal.any([heard.signal, AbortSignal.timeout(60_000)]),
  };
  const running = (async () => {
    for await (const _ of query('hello', options));
  })();
  await running.catch(() => undefined);
  door.close();
  expect(door.reached[0]).toMatch(/^CONNECT \S*anthropic\.com:443$/);
});
