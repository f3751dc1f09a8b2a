/** Rules 1, 2, 4, 5 and 6 of composition: how hooks of several dialects share one event. */

import { describe, expect, test } from 'vitest';
import type { Event } from '../events/event.ts';
import type { Hook } from '../events/hook.ts';
import { ALL, dialect, own } from './fixtures/dialects.ts';
import { before, commandOf, event, go, hook, rounds, run, skipped } from './fixtures/stage.ts';

const NO_RM = 'case "$OPTA_TOOL_ARGS" in *"rm -rf"*) echo no rm >&2; exit 1;; esac';
const REFUSE = 'cat >/dev/null; echo no >&2; exit 2';
const claudeSays = (out: object) =>
  `cat >/dev/null; printf '%s' '${JSON.stringify({ hookSpecificOutput: out })}'`;
type Output = { args: { command: string } };
const rewrite = (change: (command: string) => string) => (_input: unknown, output: Output) => {
  output.args.command = change(output.args.command);
};
const said = ({ said: all }: Awaited<ReturnType<typeof go>>) => all.map(({ by, to, text }) => [by, to, text]);

describe('four dialects in one tool.before', () => {
  const guards = [
    hook('opta', NO_RM, { id: 'opta' }),
    hook('claude-code', claudeSays({ additionalContext: 'from A' }), { id: 'A' }),
    hook('claude-code', `sleep 0.1; ${claudeSays({ permissionDecision: 'allow' })}`, { id: 'B' }),
    hook(
      'opencode',
      rewrite((command) => command.replace('--force', '--force-with-lease')),
      { id: 'plugin' },
    ),
  ];

  test('an Opta guard passes, Claude hooks run in parallel, a plugin rewrites, and oh-my-pi blocks the result', async () => {
    const seen: string[] = [];
    const block = ({ input }: { input: { command: string } }) => {
      seen.push(input.command);
      return { block: true, reason: 'no pushes' };
    };
    const outcome = await go(before('git push --force'), [...guards, hook('oh-my-pi', block, { id: 'pi' })]);
    expect(outcome.verdict).toBe('deny');
    expect(outcome.reasons).toEqual([{ by: 'pi', text: 'no pushes' }]);
    expect(seen).toEqual(['git push --force-with-lease']);
    expect(outcome.said).toEqual([]);
    expect(outcome.runs.map((one) => [one.hook, one.round])).toEqual([
      ['opta', 1],
      ['A', 1],
      ['B', 1],
      ['plugin', 1],
      ['pi', 1],
    ]);
  });

  test('context keeps the configured order and its source if no hook refuses', async () => {
    const outcome = await go(before('ls'), [
      hook('claude-code', `sleep 0.1; ${claudeSays({ additionalContext: 'slow' })}`, { id: 'slow' }),
      hook('claude-code', claudeSays({ additionalContext: 'quick' }), { id: 'quick' }),
      hook('goose', 'cat >/dev/null; echo first', { id: 'goose' }),
    ]);
    expect(said(outcome)).toEqual([
      ['goose', 'model', 'first'],
      ['slow', 'model', 'slow'],
      ['quick', 'model', 'quick'],
    ]);
  });
});

describe('the order of groups', () => {
  test('groups run in the order of the dialects, whatever the order of discovery', async () => {
    const trace: string[] = [];
    const hooks = ['own', 'oh-my-pi', 'opencode', 'claude-agent-sdk'].map((name) =>
      hook(name, () => void trace.push(name), { id: name }),
    );
    await go(before('ls'), hooks);
    expect(trace).toEqual(['claude-agent-sdk', 'opencode', 'oh-my-pi', 'own']);
    trace.length = 0;
    await go(before('ls'), hooks.toReversed());
    expect(trace).toEqual(['claude-agent-sdk', 'opencode', 'oh-my-pi', 'own']);
  });

  test('a dialect with two native names for an event has two groups', async () => {
    const trace: string[] = [];
    const two = dialect({ ...own, name: 'two', words: { 'tool.before': ['first', 'second'] } });
    const of = (on: string) => hook('two', () => void trace.push(on), { on });
    await go(before('ls'), [of('second'), of('first')], { dialects: [two] });
    expect(trace).toEqual(['first', 'second']);
  });

  test('a deny ends groups whose dialect stops on it, but all Claude hooks still run', async () => {
    const outcome = await go(before('x'), [
      hook('goose', REFUSE, { id: 'g1' }),
      hook('goose', REFUSE, { id: 'g2' }),
      hook('opta', 'exit 1', { id: 'o' }),
      hook('claude-code', REFUSE, { id: 'c1' }),
      hook('claude-code', REFUSE, { id: 'c2' }),
    ]);
    expect(outcome.verdict).toBe('deny');
    expect(outcome.reasons.map(({ by }) => by)).toEqual(['g1', 'c1', 'c2']);
    expect([skipped(outcome, 'g2'), skipped(outcome, 'o')]).toEqual([
      'stopped by g1',
      'refused before its turn',
    ]);
  });

  test('a resume stops the other stop hooks where the dialect says so, and keeps its reason', async () => {
    const outcome = await go(event('turn.stop', { active: false }), [
      hook('goose', 'cat >/dev/null; echo tests are red >&2; exit 2', { id: 'a', on: 'Stop' }),
      hook('goose', REFUSE, { id: 'b', on: 'Stop' }),
    ]);
    expect(outcome.flow).toEqual({ resume: 'tests are red' });
    expect([outcome.verdict, skipped(outcome, 'b')]).toEqual(['none', 'stopped by a']);
  });

  test('a stop hook sees that the agent continues only because of a hook', async () => {
    const line = `grep -q '"stop_hook_active":true' && exit 0; echo go on >&2; exit 2`;
    const stop = (active: boolean) =>
      go(event('turn.stop', { active }), [hook('claude-code', line, { on: 'Stop' })]);
    expect((await stop(false)).flow).toEqual({ resume: 'go on' });
    expect((await stop(true)).flow).toEqual({});
  });
});

describe('the strictest verdict wins', () => {
  const says = (kind: string) => hook('own', () => ({ kind, reason: kind }), { id: kind });
  const table: [string[], string][] = [
    [['allow'], 'allow'],
    [['allow', 'ask'], 'ask'],
    [['ask', 'defer', 'allow'], 'defer'],
    [['ask', 'allow', 'deny'], 'deny'],
  ];
  test.each(table)('the verdicts %j give %s', async (kinds, verdict) => {
    for (const order of [kinds, kinds.toReversed()]) {
      const outcome = await go(before('x'), order.map(says));
      expect([outcome.verdict, outcome.reasons]).toEqual([verdict, [{ by: verdict, text: verdict }]]);
    }
  });

  test('a hook without an answer neither approves nor voids an approval', async () => {
    const silent = hook('own', () => undefined);
    expect((await go(before('x'), [silent])).verdict).toBe('none');
    expect((await go(before('x'), [silent, says('allow'), silent])).verdict).toBe('allow');
  });
});

describe('side by side', () => {
  test('changes of different arguments both count, whichever hook finishes first', async () => {
    for (const [a, b] of [
      [0.15, 0],
      [0, 0.15],
    ]) {
      const outcome = await go(before('npm test', { timeout: 1 }), [
        hook(
          'claude-code',
          `sleep ${a}; ${claudeSays({ updatedInput: { command: 'CI=1 npm test', timeout: 1 } })}`,
          {
            roles: ['mutator'],
          },
        ),
        hook(
          'claude-code',
          `sleep ${b}; ${claudeSays({ updatedInput: { command: 'npm test', timeout: 9 } })}`,
          {
            roles: ['mutator'],
          },
        ),
      ]);
      expect(outcome.payload['input']).toEqual({ command: 'CI=1 npm test', timeout: 9 });
    }
  });

  const redact = (secret: string, ms: number) => async (input: { tool_response: { text: string }[] }) => {
    await new Promise((done) => setTimeout(done, ms));
    const updatedToolOutput = input.tool_response.map((c) => ({ text: c.text.replaceAll(secret, '***') }));
    return { hookSpecificOutput: { updatedToolOutput } };
  };
  const after = event('tool.after', { tool: 'read', input: {}, content: [{ text: 'KEY=abc TOKEN=xyz' }] });

  test('two redactions of one field both survive, because the later hook runs again on the current value', async () => {
    for (const [a, b] of [
      [40, 0],
      [0, 40],
    ] as const) {
      const outcome = await go(after, [
        hook('claude-agent-sdk', redact('KEY=abc', a), { on: 'PostToolUse', id: 'a' }),
        hook('claude-agent-sdk', redact('TOKEN=xyz', b), { on: 'PostToolUse', id: 'b' }),
      ]);
      expect(outcome.payload['content']).toEqual([{ text: '*** ***' }]);
      expect(outcome.changed).toEqual([
        { by: 'a', at: 'content' },
        { by: 'b', at: 'content' },
      ]);
    }
  });

  test('the first answer of a hook that ran again stays in the record with its refusals', async () => {
    let asked = 0;
    const judge = () => {
      asked += 1;
      if (asked > 1) return {};
      return {
        hookSpecificOutput: {
          permissionDecision: 'ask',
          permissionDecisionReason: 'odd',
          updatedInput: { command: 'b' },
          additionalContext: 'first thought',
        },
      };
    };
    const outcome = await go(before('x'), [
      hook('claude-agent-sdk', () => ({ hookSpecificOutput: { updatedInput: { command: 'a' } } }), {
        roles: ['mutator'],
      }),
      hook('claude-agent-sdk', judge, { id: 'judge' }),
    ]);
    expect([outcome.verdict, outcome.reasons]).toEqual(['ask', [{ by: 'judge', text: 'odd' }]]);
    expect([commandOf(outcome), outcome.said]).toEqual(['a', []]);
    expect(outcome.runs.filter((one) => one.hook === 'judge')[0]!.ignored).toEqual([
      { effect: { kind: 'set', at: ['input', 'command'], to: 'b' }, why: 'another answer stands' },
      { effect: { kind: 'context', text: 'first thought' }, why: 'another answer stands' },
    ]);
  });
});

describe("oh-my-pi's own conflict rules", () => {
  const on = (word: string, fn: (...args: never[]) => unknown, id?: string) =>
    hook('oh-my-pi', fn, { on: word, ...(id && { id }) });

  test('oh-my-pi keeps the first message', async () => {
    const hooks = ['a', 'b'].map((message) => on('before_agent_start', () => ({ message }), message));
    const outcome = await go(event('agent.before', { prompt: 'p' }), hooks);
    expect(outcome.given).toEqual([{ by: 'a', what: 'message', value: 'a' }]);
    expect(outcome.runs[1]!.ignored?.map(({ why }) => why)).toEqual(['another answer stands']);
  });

  test('oh-my-pi uses the last compaction answer as a whole and ignores empty ones', async () => {
    const outcome = await go(event('compaction.prompt', {}), [
      on('session.compacting', () => ({ context: ['one'] })),
      on('session.compacting', () => ({ prompt: 'two' })),
      on('session.compacting', () => undefined),
    ]);
    expect(outcome.payload).toEqual({ prompt: 'two' });
  });

  test('oh-my-pi chains contexts', async () => {
    const add = (word: string) =>
      on('context', ({ messages }: { messages: string[] }) => ({ messages: [...messages, word] }));
    const outcome = await go(event('model.context', { messages: ['m'] }), ['x', 'y'].map(add));
    expect(outcome.payload).toEqual({ messages: ['m', 'x', 'y'] });
  });

  test('oh-my-pi stops at a cancel', async () => {
    const outcome = await go(event('session.switching', { reason: 'new' }), [
      on('session_before_switch', () => ({ cancel: true }), 'first'),
      on('session_before_switch', () => undefined, 'second'),
    ]);
    expect([outcome.flow, skipped(outcome, 'second')]).toEqual([{ cancel: '' }, 'stopped by first']);
  });

  test('an oh-my-pi redaction survives a later answer about another field', async () => {
    const result = { tool: 'read', input: {}, content: [{ text: 'KEY=1' }], details: 1 };
    const outcome = await go(event('tool.after', result), [
      on('tool_result', () => ({ content: [{ text: 'KEY=*' }] })),
      on('tool_result', () => ({ details: 2 })),
    ]);
    expect(outcome.payload).toEqual({ ...result, content: [{ text: 'KEY=*' }], details: 2 });
  });
});

describe('what counts', () => {
  test('immutable fields and effects of other events are ignored', async () => {
    const outcome = await go(before('x'), [
      hook('own', () => [
        { kind: 'set', at: ['tool'], to: 'read' },
        { kind: 'resume' },
        { kind: 'notice', text: 'hi' },
      ]),
    ]);
    expect(outcome.payload['tool']).toBe('shell');
    expect(outcome.runs[0]!.ignored).toEqual([
      { effect: { kind: 'set', at: ['tool'], to: 'read' }, why: 'may not be changed' },
      { effect: { kind: 'resume' }, why: 'does not count on this event' },
    ]);
    expect(said(outcome)).toEqual([[outcome.runs[0]!.hook, 'person', 'hi']]);
  });

  test('an observer may send texts but neither decide nor change', async () => {
    const outcome = await go(before('x'), [
      hook(
        'own',
        () => [
          { kind: 'deny' },
          { kind: 'allow' },
          { kind: 'set', at: ['input', 'command'], to: 'y' },
          { kind: 'context', text: 'c' },
        ],
        { id: 'watch', roles: ['observer'] },
      ),
    ]);
    expect([outcome.verdict, commandOf(outcome), said(outcome)]).toEqual([
      'none',
      'x',
      [['watch', 'model', 'c']],
    ]);
    expect(outcome.runs[0]!.ignored?.map(({ why }) => why)).toEqual(
      Array(3).fill('an observer only watches'),
    );
  });

  test('context is dropped if the action is denied, but a notice to the user stays', async () => {
    const outcome = await go(before('x'), [
      hook('own', () => [
        { kind: 'context', text: 'c' },
        { kind: 'notice', text: 'n' },
      ]),
      hook('own', () => ({ kind: 'deny' })),
    ]);
    expect(outcome.said.map(({ text }) => text)).toEqual(['n']);
  });

  test('a hook cannot modify its change after it was judged', async () => {
    const input = { command: 'ls' };
    const outcome = await go(before('x'), [
      hook('own', () => ({ kind: 'set', at: ['input'], to: input }), { roles: ['mutator'] }),
    ]);
    input.command = 'rm -rf /';
    expect(commandOf(outcome)).toBe('ls');
  });
});

describe('hooks inside a group', () => {
  test('hooks run in configured order', async () => {
    const trace: number[] = [];
    const hooks: Hook[] = [3, 1, 2].map((n) => hook('own', async () => void trace.push(n)));
    await go(before('x'), hooks);
    expect(trace).toEqual([3, 1, 2]);
  });

  test('hooks that run in turn see the changes of earlier ones', async () => {
    const prefix = (word: string) =>
      hook(
        'opencode',
        rewrite((c) => `${word} ${c}`),
        { roles: ['mutator'] },
      );
    const outcome = await go(before('x'), [prefix('time'), prefix('nice')]);
    expect([commandOf(outcome), outcome.verdict]).toEqual(['nice time x', 'none']);
  });

  test('the payload is written from one event object for all hooks', async () => {
    const events = new Set<Event>();
    const counting = {
      ...own,
      payload: { ...own.payload, write: (e: Event, h: Hook) => (events.add(e), own.payload.write(e, h)) },
    };
    const dialects = ALL.map((one) => (one === own ? counting : one));
    const outcome = await go(
      before('x'),
      [1, 2, 3].map(() => hook('own', () => undefined)),
      {
        dialects,
        budgetMs: 60_000,
        run,
      },
    );
    expect([events.size, outcome.runs.length]).toEqual([1, 3]);
    expect(rounds(outcome, outcome.runs[0]!.hook)).toEqual([1]);
  });
});
