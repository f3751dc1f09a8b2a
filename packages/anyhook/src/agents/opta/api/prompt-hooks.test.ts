/** V4: hooks that a model judges. The judge is a port: scripted here, the real model in an agent. */
import { describe, expect, test } from 'vitest';
import type { Run } from '../../../index.ts';
import { HookManager, type HookEvent } from './index.ts';
import { context, ground, hooksIn } from './fixtures/scratch.ts';

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
  test('is asked with its own words and the whole event', async () => {
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
  ])('%j', async (answer, result) => {
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

  test('a judge that fails blocks on tool.pre, and elsewhere leaves a mark', async () => {
    expect((await judged(new Error('no quota'))).result).toEqual({
      cancelled: true,
      reason: expect.stringMatching(/failed: the judge failed: no quota/),
    });
    const { result, runs } = await judged(new Error('no quota'), 'tool.post');
    expect([result, runs[0]?.failedOpen]).toEqual([{ cancelled: false }, true]);
  });

  test('without a judge it fails by its policy: a gate stays shut', async () => {
    const fire = (onFailure?: 'allow') =>
      HookManager.create([{ event: 'tool.pre', type: 'prompt', prompt: 'safe?', onFailure }]).fire(
        'tool.pre',
        context('tool.pre', { tool_name: 'x' }),
      );
    expect(await fire()).toEqual({ cancelled: true, reason: expect.stringMatching(/unavailable.*judge/) });
    expect(await fire('allow')).toEqual({ cancelled: false });
  });

  test('on stop makes the agent go on', async () => {
    expect((await judged('{"ok":false,"reason":"tests are red"}', 'stop')).result).toEqual({
      cancelled: true,
      reason: 'tests are red',
    });
  });

  test('is asked of the host’s judge when it comes from a settings file', async () => {
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
