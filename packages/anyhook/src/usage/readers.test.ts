/** The readers of usage, with files that real agents wrote while a scripted model stated these figures. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type AgentName, AGENTS } from '../agents/index.ts';
import { BusUsage } from '../agents/opencode/usage.ts';
import { EntryUsage } from '../agents/pi/usage.ts';
import { Transcript } from './transcript.ts';

const fixture = (agent: AgentName): string =>
  fileURLToPath(new URL(`../agents/${agent}/fixtures/transcript.jsonl`, import.meta.url));

const STATED = {
  session: { inputTokens: 6600, cachedTokens: 1500, outputTokens: 156 },
  last: { inputTokens: 3300, cachedTokens: 700, outputTokens: 63 },
  contextTokens: 3363,
};
const MORE: Readonly<Partial<Record<AgentName, object>>> = {
  'claude-code': { session: { ...STATED.session, costUsd: 0.02382 } },
  codex: { contextWindow: 258_400 },
  'copilot-cli': { contextWindow: 128_000 },
};

const WITH_READER = Object.values(AGENTS).filter(({ usage }) => usage?.reader != null);

describe('a transcript of a real session', () => {
  test('six agents state usage in a transcript', () => {
    expect(WITH_READER.map(({ name }) => name)).toEqual([
      'claude-code',
      'codex',
      'gemini-cli',
      'qwen-code',
      'kimi-code',
      'copilot-cli',
    ]);
  });

  test.each(WITH_READER)('the transcript of $name states what the model stated', async ({ name, usage }) => {
    const transcript = new Transcript(fixture(name), await usage!.reader!());
    transcript.read();
    expect(transcript.usage).toEqual({ ...STATED, ...MORE[name] });
  });

  test.each(['pi', 'oh-my-pi'] as const)('the entries of %s state what the model stated', (name) => {
    const entries: unknown[] = readFileSync(fixture(name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    const usage = new EntryUsage();
    usage.of('s', entries.slice(0, -1));
    expect(usage.of('s', entries)).toEqual({ ...STATED, session: { ...STATED.session, costUsd: 0 } });
    expect(usage.of('other', [])).toEqual({});
  });
});

test('messages of the OpenCode bus count once, with their last figures', () => {
  const usage = new BusUsage();
  const message = (id: string, output: number, cost: number) => ({
    type: 'message.updated',
    properties: {
      info: {
        id,
        role: 'assistant',
        sessionID: 's',
        cost,
        tokens: { input: 800, output, reasoning: 2, cache: { read: 300, write: 0 } },
      },
    },
  });
  for (const said of [
    message('m1', 0, 0),
    message('m1', 41, 0.5),
    message('m1', 41, 0.5),
    message('m2', 50, 0.25),
  ])
    usage.take(said);
  expect(usage.of('s')).toEqual({
    session: { inputTokens: 2200, cachedTokens: 600, outputTokens: 95, costUsd: 0.75 },
    last: { inputTokens: 1100, cachedTokens: 300, outputTokens: 52 },
    contextTokens: 1152,
  });
  expect(usage.of('t')).toEqual({});
});

test('agents without a transcript in their events name it by session, and never outside of their folder', async () => {
  const list = (folder: string): readonly string[] =>
    ({ '/h/.kimi-code/sessions': ['wd_p'], '/h/.kimi-code/sessions/wd_p': ['s1'] })[folder] ?? [];
  const where = { home: '/h', env: {}, cwd: '/p', list } as never;
  const filesOf = async (agent: 'kimi-code' | 'copilot-cli', session: string) =>
    (await AGENTS[agent].usage!.reader!()).files({ ids: { session }, scene: { cwd: '/p' } }, where)?.main;
  expect(await filesOf('kimi-code', 's1')).toBe('/h/.kimi-code/sessions/wd_p/s1/agents/main/wire.jsonl');
  expect(await filesOf('copilot-cli', 's1')).toBe(join('/h', '.copilot/session-state/s1/events.jsonl'));
  for (const session of ['../../etc', '..', 'a/b', ''])
    expect([await filesOf('kimi-code', session), await filesOf('copilot-cli', session)]).toEqual([
      undefined,
      undefined,
    ]);
});
