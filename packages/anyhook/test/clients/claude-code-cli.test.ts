/** The real Claude Code CLI calls our callbacks over its control channel. */

import { describe, expect, test } from 'vitest';
import {
  type ClientOptions,
  type HookJSONOutput,
  type HooksByEvent,
  type Message,
  query,
} from '../../src/agents/claude-agent-sdk/api/index.ts';
import { claude } from './packages.ts';
import { stage, type Stage } from './stage.ts';

const CLI = await claude();
const options = ({ project, env }: Stage, hooks: HooksByEvent): ClientOptions => ({
  pathToClaudeCodeExecutable: CLI,
  args: ['--dangerously-skip-permissions'],
  cwd: project,
  env,
  hooks,
});
async function ask(on: Stage, hooks: HooksByEvent): Promise<Message[]> {
  const heard: Message[] = [];
  for await (const message of query('Please do the task.', options(on, hooks))) heard.push(message);
  return heard;
}
const deny: HookJSONOutput = {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: 'the house says no',
  },
};

describe('Claude Code', () => {
  test('the Claude Code CLI calls our callbacks for every step, and an allowed tool runs', async () => {
    const on = await stage();
    const seen: unknown[] = [];
    const note =
      (name: string, output: HookJSONOutput = {}) =>
      (
        input: object,
        toolUseId: string | null,
        { sessionId, cwd }: { sessionId: string | null; cwd: string | null },
      ) => {
        seen.push([
          name,
          (input as { hook_event_name: string }).hook_event_name,
          toolUseId !== null,
          sessionId !== null,
          cwd,
        ]);
        return output;
      };
    const heard = await ask(on, {
      PreToolUse: { matcher: 'Bash', hooks: [note('pre')] },
      PostToolUse: note('post', {
        hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'remember the milk' },
      }),
      UserPromptSubmit: note('prompt'),
      Stop: note('stop'),
    });
    expect(heard.at(-1)).toMatchObject({ type: 'result', subtype: 'success', result: 'done' });
    expect(seen).toEqual([
      ['prompt', 'UserPromptSubmit', expect.any(Boolean), true, on.project],
      ['pre', 'PreToolUse', true, true, on.project],
      ['post', 'PostToolUse', true, true, on.project],
      ['stop', 'Stop', expect.any(Boolean), true, on.project],
    ]);
    expect([on.has('ran.txt'), on.told().includes('remember the milk')]).toEqual([true, true]);
  });

  test('a deny stops the tool in the Claude Code CLI, and the model reads why', async () => {
    const on = await stage();
    await ask(on, { PreToolUse: { matcher: 'Bash', hooks: [() => deny] } });
    expect([on.has('ran.txt'), on.told().includes('the house says no')]).toEqual([false, true]);
  });

  test('a rewritten input runs in the Claude Code CLI', async () => {
    const on = await stage();
    await ask(on, {
      PreToolUse: () => ({
        hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'touch other.txt' } },
      }),
    });
    expect([on.has('ran.txt'), on.has('other.txt')]).toEqual([false, true]);
  });

  test('a blocked prompt never reaches the model in the Claude Code CLI, and a blocked stop resumes once', async () => {
    const on = await stage([{ text: 'first' }, { text: 'second' }]);
    await ask(on, { UserPromptSubmit: () => ({ decision: 'block', reason: 'no prompts today' }) });
    expect(on.model.asked).toEqual([]);
    const active: unknown[] = [];
    const heard = await ask(on, {
      Stop: ({ stop_hook_active }) => (
        active.push(stop_hook_active),
        stop_hook_active ? {} : { decision: 'block', reason: 'not yet' }
      ),
    });
    expect([active, heard.at(-1)]).toMatchObject([[false, true], { result: 'second' }]);
  });

  test.each([
    ['block', false],
    ['continue', true],
  ] as const)('a callback that throws under onFailure %s: the tool runs: %s', async (onFailure, runs) => {
    const on = await stage();
    await ask(on, {
      PreToolUse: {
        hooks: [
          () => {
            throw new Error('broken guard');
          },
        ],
        onFailure,
      },
    });
    expect(on.has('ran.txt')).toBe(runs);
  });

  test('a callback that never answers times out and, with onFailure block, blocks', async () => {
    const on = await stage();
    let signal: AbortSignal | undefined;
    const hooks: HooksByEvent = {
      PreToolUse: {
        hooks: [(_i, _t, context) => ((signal = context.signal), new Promise(() => undefined))],
        timeout: 2,
        onFailure: 'block',
      },
    };
    await ask(on, hooks);
    expect([signal?.aborted, on.has('ran.txt')]).toEqual([true, false]);
  });

  test('an abort during a hook cancels the hook and ends the Claude Code CLI', async () => {
    const on = await stage();
    const stop = new AbortController();
    let cancelled: unknown;
    const hooks: HooksByEvent = {
      PreToolUse: (_i, _t, { signal }) =>
        new Promise((_, fail) => {
          signal.addEventListener('abort', () => fail((cancelled = signal.reason)));
          stop.abort(new Error('enough'));
        }),
    };
    const running = (async () => {
      for await (const _ of query('Please do the task.', { ...options(on, hooks), signal: stop.signal }));
    })();
    await expect(running).rejects.toThrow('enough');
    expect([cancelled instanceof Error, on.has('ran.txt')]).toEqual([true, false]);
  });
});
