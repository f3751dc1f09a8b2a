/** `createHooks({ callbacks })`: SDK callbacks next to other hooks, with the same record and outcome. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../../../events/capabilities.ts';
import { createHooks, type Hooks, notice, type Options } from '../../../index.ts';
import { gate, never } from './fixtures/streams.ts';
import { blockBashCommandHook, type HookContext, type HookJSONOutput } from './index.ts';

const open: Hooks[] = [];
const made: string[] = [];
afterEach(async () => {
  for (const hooks of open.splice(0)) await hooks.close();
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});
async function hooksWith(
  callbacks: NonNullable<Options['hooks']>,
  more: Partial<Options> = {},
): Promise<Hooks> {
  const hooks = await createHooks({
    host: { name: 'test', can: EVERYTHING },
    settings: false,
    journal: false,
    cwd: '/project',
    hooks: callbacks,
    ...more,
  });
  open.push(hooks);
  return hooks;
}
const shell = (command: string) =>
  ({
    name: 'tool.before',
    payload: { tool: 'shell', input: { command } },
    ids: { session: 's1', call: 'c1' },
  }) as const;

describe('an SDK callback as a hook', () => {
  test('an SDK callback receives the event in the format of the SDK', async () => {
    const seen: unknown[] = [];
    const hooks = await hooksWith({ PreToolUse: (...args) => (seen.push(...args), {}) });
    const outcome = await hooks.fire({ ...shell('ls'), scene: { mode: 'plan' } });
    expect(outcome.verdict).toBe('none');
    expect(seen.slice(0, 2)).toEqual([
      {
        session_id: 's1',
        transcript_path: '',
        cwd: '/project',
        permission_mode: 'plan',
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        tool_use_id: 'c1',
      },
      'c1',
    ]);
    const { signal, ...context } = seen[2] as HookContext;
    expect([context, signal.aborted]).toEqual([
      { sessionId: 's1', transcriptPath: null, cwd: '/project', permissionMode: 'plan' },
      false,
    ]);
  });

  test('an SDK callback denies, changes, and sends messages to the model and the user', async () => {
    const hooks = await hooksWith({
      PreToolUse: ({ tool_input }) =>
        tool_input['command'] === 'rm a'
          ? {
              hookSpecificOutput: {
                hookEventName: 'PreToolUse',
                permissionDecision: 'deny',
                permissionDecisionReason: 'no',
              },
            }
          : {
              systemMessage: 'changed it',
              hookSpecificOutput: {
                hookEventName: 'PreToolUse',
                updatedInput: { command: 'ls -l' },
                additionalContext: 'know this',
              },
            },
    });
    const denied = await hooks.fire(shell('rm a'));
    expect([denied.verdict, denied.reasons.map(({ text }) => text)]).toEqual(['deny', ['no']]);
    const changed = await hooks.fire(shell('ls'));
    expect([changed.payload['input'], changed.said.map(({ to, text }) => [to, text])]).toEqual([
      { command: 'ls -l' },
      expect.arrayContaining([
        ['person', 'changed it'],
        ['model', 'know this'],
      ]),
    ]);
  });

  test('an SDK callback with its own matcher runs next to plain callbacks', async () => {
    const hooks = await hooksWith({
      PreToolUse: [
        { matcher: 'Write|Edit', hooks: [() => ({ continue: false })] },
        { matcher: 'Bash', hooks: [blockBashCommandHook(['rm *'])] },
      ],
      'tool.before': () => notice('seen'),
    });
    expect(await hooks.fire(shell('ls'))).toMatchObject({
      verdict: 'none',
      said: [{ to: 'person', text: 'seen' }],
    });
    const outcome = await hooks.fire(shell('echo $(rm a)'));
    expect([outcome.verdict, outcome.unmatched]).toEqual(['deny', ['(program)#sdk.PreToolUse[0].hooks[0]']]);
  });

  test.each<[string, () => HookJSONOutput | Promise<HookJSONOutput>, string]>([
    [
      'a throw',
      () => {
        throw new Error('boom');
      },
      'failed',
    ],
    ['a rejection', () => Promise.reject(new Error('boom')), 'failed'],
    ['an answer that makes no sense', () => ({ decision: 'maybe' }) as never, 'unreadable'],
    ['nothing', () => undefined as never, 'unreadable'],
    ['no answer in time', () => never(), 'timed-out'],
  ])(
    'an SDK callback that %s refuses guarded events and lets others pass',
    async (_title, callback, kind) => {
      const matcher = { hooks: [callback], timeout: 0.05 };
      const hooks = await hooksWith({
        PreToolUse: matcher,
        UserPromptSubmit: matcher,
        PostToolUse: matcher,
        Stop: matcher,
      });
      const before = await hooks.fire(shell('ls'));
      const prompt = await hooks.fire({ name: 'prompt.submit', payload: { prompt: 'hi' } });
      const after = await hooks.fire({
        name: 'tool.after',
        payload: { tool: 'shell', input: {}, content: [] },
      });
      const stop = await hooks.fire({ name: 'turn.stop', payload: { active: false } });
      expect(
        [before, prompt, after, stop].map(({ verdict, runs }) => [
          verdict,
          runs[0]!.answer!.failed!.kind,
          runs[0]!.failedOpen,
        ]),
      ).toEqual([
        ['deny', kind, undefined],
        ['deny', kind, undefined],
        ['none', kind, true],
        ['none', kind, true],
      ]);
    },
  );

  test('onFailure of a matcher overrides the default policy', async () => {
    const broken = () => {
      throw new Error('boom');
    };
    const hooks = await hooksWith({ PreToolUse: { hooks: [broken], onFailure: 'continue' } });
    expect(await hooks.fire(shell('ls'))).toMatchObject({ verdict: 'none', runs: [{ failedOpen: true }] });
  });

  test('the signal of an SDK callback aborts when the host gives up', async () => {
    const aborted = gate<unknown>();
    const hooks = await hooksWith({
      PreToolUse: (_input, _id, { signal }) => (
        signal.addEventListener('abort', () => aborted.open(signal.reason)),
        never()
      ),
    });
    const stop = new AbortController();
    const firing = hooks.fire({ ...shell('ls'), signal: stop.signal });
    setTimeout(() => stop.abort(), 10);
    expect([(await firing).verdict, String(await aborted.passed)]).toEqual([
      'deny',
      expect.stringContaining('AbortError'),
    ]);
  });

  test('changes of an SDK callback to its input affect nothing else', async () => {
    const seen: unknown[] = [];
    const spoil = (input: { tool_input: unknown }) => (
      ((input.tool_input as Record<string, unknown>)['command'] = 'spoilt'),
      {}
    );
    const hooks = await hooksWith({
      PreToolUse: [
        spoil as never,
        (input: { tool_input: unknown }) => (seen.push(input.tool_input), {}),
      ] as never,
    });
    const { payload } = await hooks.fire(shell('ls'));
    expect([payload['input'], seen]).toEqual([{ command: 'ls' }, [{ command: 'ls' }]]);
  });

  test('an invalid matcher keeps its guard, which refuses, and is reported', async () => {
    const hooks = await hooksWith({
      PreToolUse: { matcher: '(', hooks: [() => ({})] },
      Stopp: () => ({}),
    } as never);
    expect(hooks.problems.map(({ code }) => code).toSorted()).toEqual(['bad-matcher', 'unknown-event']);
    expect((await hooks.fire(shell('ls'))).verdict).toBe('deny');
  });

  test('an SDK callback leaves the same record as every other hook', async () => {
    const home = mkdtempSync(join(tmpdir(), 'sdk-home-'));
    made.push(home);
    const folder = join(home, 'journal');
    const hooks = await hooksWith(
      { PreToolUse: () => ({ systemMessage: 'noted' }) },
      { home, journal: { folder } },
    );
    await hooks.fire(shell('ls'));
    await hooks.close();
    const text = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('');
    expect(text).toContain('(program)#sdk.PreToolUse[0].hooks[0]');
    expect(text).toContain('noted');
  });
});
