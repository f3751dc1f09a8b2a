/** Usage on its way from the program to hooks, rules, the journal and a replay. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Usage } from '../events/usage.ts';
import { defineHook, type EventInput } from '../index.ts';
import { readFolder } from '../journal/index.ts';
import { recordedInput } from '../replay/result.ts';
import { before, ground, USER } from './fixtures/ground.ts';

const USED: Usage = {
  session: { inputTokens: 900, cachedTokens: 100, outputTokens: 100, costUsd: 2 },
  last: { inputTokens: 500, outputTokens: 50 },
  contextTokens: 550,
};
const call = (usage?: unknown): EventInput =>
  ({
    name: 'tool.before',
    payload: { tool: 'shell', input: { command: 'ls' } },
    ids: { session: 's' },
    ...(usage !== undefined && { usage }),
  }) as EventInput;

test('a module and a command get the usage of the session, and the module cannot change it', async () => {
  const seen: unknown[] = [];
  const at = ground({
    [USER]: before({ run: 'cat > "$PWD/seen.json"' }),
  });
  const watch = defineHook({
    on: 'tool.before',
    run(event) {
      seen.push(event.usage);
      expect(() => Object.assign(event.usage ?? {}, { contextTokens: 0 })).toThrow();
    },
  });
  const hooks = await at.open({ hooks: [watch] });
  await hooks.fire(call(USED));
  expect(seen).toEqual([USED]);
  expect(JSON.parse(readFileSync(join(at.cwd, 'seen.json'), 'utf8'))).toMatchObject({ usage: USED });
});

test('the journal records the usage, and a replay judges by it', async () => {
  const at = ground({ [USER]: before({ limit: { tokens: 1000 } }) });
  const hooks = await at.open({});
  expect((await hooks.fire(call(USED))).verdict).toBe('deny');
  const folder = join(at.home, '.local/state/anyhook/journal');
  expect(readdirSync(folder)).toHaveLength(1);
  const [entry] = [...readFolder(folder, { session: 's' })];
  const record = entry?.kind === 'record' ? entry.record : undefined;
  expect(record?.usage).toEqual(USED);
  expect((await hooks.fire(recordedInput(record!))).verdict).toBe('deny');
});

describe('a limit of usage', () => {
  const verdict = async (limit: object, usage: unknown, more: object = {}) => {
    const hooks = await ground({ [USER]: before({ limit, ...more }) }).open({});
    const outcome = await hooks.fire(call(usage));
    return [outcome.verdict, outcome.reason] as const;
  };

  test.each([
    [{ tokens: 1001 }, 'none'],
    [{ tokens: 1000 }, 'deny'],
    [{ contextTokens: 551 }, 'none'],
    [{ contextTokens: 550 }, 'deny'],
    [{ costUsd: 2.01 }, 'none'],
    [{ costUsd: 2 }, 'deny'],
  ])('the limit %j judges as %s', async (limit, expected) => {
    expect((await verdict(limit, USED))[0]).toBe(expected);
  });

  test('a session without any request yet passes', async () => {
    expect((await verdict({ tokens: 1 }, {}))[0]).toBe('none');
  });

  test.each([
    ['no usage at all', { tokens: 1e9 }, undefined, 'does not reveal its usage'],
    [
      'no costs',
      { costUsd: 100 },
      { session: { inputTokens: 1, outputTokens: 1 } },
      'does not state its costs',
    ],
    ['a fault', { tokens: 1e9 }, { fault: 'there is no transcript x' }, 'there is no transcript x'],
    [
      'totals that are still being read',
      { tokens: 1e9 },
      { session: { inputTokens: 1, outputTokens: 1, isPartial: true } },
      'still being read',
    ],
  ])('an agent that reveals %s is a failure of the rule, and not consent', async (_, limit, usage, why) => {
    const [refused, reason] = await verdict(limit, usage);
    expect([refused, reason]).toEqual(['deny', expect.stringContaining(why)]);
    expect((await verdict(limit, usage, { onFailure: 'allow' }))[0]).toBe('none');
  });

  test('partial totals refuse if they already reach the limit', async () => {
    const usage = { session: { inputTokens: 2000, outputTokens: 1, isPartial: true } };
    expect((await verdict({ tokens: 2000 }, usage))[1]).toContain('It is at 2,001 tokens');
  });
});

test.each([
  [5, 'is not an object'],
  [{ tokens: 5 }, 'unknown key "tokens"'],
  [{ session: { inputTokens: 1 } }, 'session.outputTokens is not a number'],
  [{ session: { inputTokens: -1, outputTokens: 1 } }, 'session.inputTokens'],
  [{ contextTokens: '5' }, 'contextTokens is not a number'],
])('a program that passes the usage %j gets an error', async (usage, message) => {
  const hooks = await ground({ [USER]: before({ limit: { tokens: 1 } }) }).open({});
  await expect(hooks.fire(call(usage))).rejects.toThrow(message);
});
