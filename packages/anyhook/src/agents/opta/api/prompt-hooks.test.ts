/** V4: hooks that a model judges. The judge is scripted here; an agent uses the real model. */

import { describe, expect, test } from 'vitest';
import type { Run } from '../../../index.ts';
import { context, ground, hooksIn } from './fixtures/scratch.ts';
import { HookManager, type HookEvent } from './index.ts';

async function judged(answer: string | Error, event: HookEvent = 'tool.pre') {
  const runs: Run[] = [];
  const asked: string[] = [];
  const manager = HookManager.create([{ event, type: 'prompt', prompt: 'Is it safe?' }], {
    onRun: (run) => runs.push(run),
    judge: async (prompt) => {
      asked.push(prompt);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  const call = { tool_name: 'run_command', tool_args: '{"command":"$& ls"}' };
  return { result: await manager.fire(event, context(event, call)), runs, asked };
}

describe('a prompt hook', () => {
  test('a prompt hook sends its prompt and the whole event to the judge', async () => {
    const { asked } = await judged('{"ok":true}');
    const [words, body] = asked[0]!.split('\n\n');
    expect([words, JSON.parse(body!)]).toEqual([
      'Is it safe?',
      {
        event: 'tool.pre',
        session_id: 's1',
        cwd: expect.any(String),
        tool_name: 'run_command',
        tool_args: '{"command":"$& ls"}',
      },
    ]);
  });

  test.each([
    ['{"ok":true}', { cancelled: false }],
    ['```json\n{"ok": true}\n```', { cancelled: false }],
    ['{"ok":false,"reason":"deletes files"}', { cancelled: true, reason: 'deletes files' }],
    ['{"decision":"deny","reason":"no"}', { cancelled: true, reason: 'no' }],
    ['{"decision":"ask","reason":"hm"}', { cancelled: true, decision: 'ask', reason: 'hm' }],
    ['{"decision":"allow"}', { cancelled: false, decision: 'allow' }],
  ])('the answer %j of a judge', async (answer, result) => {
    expect((await judged(answer)).result).toEqual(result);
  });

  test.each([
    'Yes, that is fine.',
    '',
    '{}',
    'true',
    '{"ok":"yes"}',
    '{"ok":true,"decision":"deny"}',
    '{"decision":"sure"}',
    '{"ok":true,"updatedInput":{"command":"rm -rf /"}}', // a judge decides; it does not rewrite
    '{"ok":true} {"ok":false}',
    'Sure: {"ok":true}',
  ])('an unreadable answer, %j, blocks', async (answer) => {
    const { result, runs } = await judged(answer);
    expect(result).toEqual({ cancelled: true, reason: expect.stringMatching(/failed \(unreadable/) });
    expect(runs[0]?.answer?.failed?.kind).toBe('unreadable');
  });

  test('a failing judge blocks on tool.pre, and leaves a mark on other events', async () => {
    expect((await judged(new Error('no quota'))).result).toEqual({
      cancelled: true,
      reason: expect.stringMatching(/failed: the judge failed: no quota/),
    });
    const { result, runs } = await judged(new Error('no quota'), 'tool.post');
    expect([result, runs[0]?.failedOpen]).toEqual([{ cancelled: false }, true]);
  });

  test('a prompt hook without a judge fails by its policy, so a guard blocks', async () => {
    const fire = (onFailure?: 'allow') =>
      HookManager.create([{ event: 'tool.pre', type: 'prompt', prompt: 'safe?', onFailure }]).fire(
        'tool.pre',
        context('tool.pre', { tool_name: 'x' }),
      );
    expect(await fire()).toEqual({ cancelled: true, reason: expect.stringMatching(/unavailable.*judge/) });
    expect(await fire('allow')).toEqual({ cancelled: false });
  });

  test('a prompt hook on stop makes the agent continue', async () => {
    expect((await judged('{"ok":false,"reason":"tests are red"}', 'stop')).result).toEqual({
      cancelled: true,
      reason: 'tests are red',
    });
  });

  test("a prompt hook from a settings file uses the host's judge", async () => {
    const { home, cwd } = ground({
      'home/.config/opta/config.json': JSON.stringify({
        hooks: [{ event: 'tool.pre', type: 'prompt', prompt: 'safe?', matcher: 'run_command' }],
      }),
    });
    const hooks = await hooksIn({ home, cwd, services: { judge: async () => '{"ok":false,"reason":"no"}' } });
    expect(hooks.problems).toEqual([]);
    const { verdict, reasons } = await hooks.fire({
      name: 'tool.before',
      payload: { tool: 'shell', input: {} },
    });
    expect([verdict, reasons.map(({ text }) => text)]).toEqual(['deny', ['no']]);
  });
});
