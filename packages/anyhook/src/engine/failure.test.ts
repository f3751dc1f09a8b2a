/** Section 6 of the design: a failure is a named value, never an exception to the host and never consent. */

import { describe, expect, test } from 'vitest';
import type { EventName, Payload } from '../events/events.ts';
import type { HookFailure } from '../events/exchange.ts';
import type { Hook } from '../events/hook.ts';
import { own } from './fixtures/dialects.ts';
import { before, commandOf, event, go, hook, skipped } from './fixtures/stage.ts';
import type { Parts } from './parts.ts';

const HANG = 'sleep 30';
const boom = () => {
  throw new Error('bug');
};

describe('what a failure means', () => {
  const table: [string, Hook, string, boolean, boolean][] = [
    ['opta lets a timeout pass', hook('opta', HANG, { timeoutMs: 80 }), 'none', false, true],
    [
      'unless the hook says block',
      hook('opta', HANG, { timeoutMs: 80, onFailure: 'block' }),
      'deny',
      true,
      false,
    ],
    ['opta blocks on a signal', hook('opta', 'kill -9 $$'), 'deny', true, false],
    ['opta takes exit 1 for an answer', hook('opta', 'exit 1'), 'deny', false, false],
    ['goose is open', hook('goose', 'exit 1'), 'none', false, true],
    ['unless the hook says ask', hook('goose', 'exit 1', { onFailure: 'ask' }), 'ask', true, false],
    ['claude is open', hook('claude-code', 'exit 1'), 'none', false, true],
    ['claude cannot be read when its JSON is cut', hook('claude-code', `printf '{"a'`), 'none', false, true],
    ['the sdk is closed on PreToolUse', hook('claude-agent-sdk', boom), 'deny', true, false],
    ['opencode takes a throw for a refusal', hook('opencode', boom), 'deny', false, false],
    ['oh-my-pi is closed on tool_call', hook('oh-my-pi', boom), 'deny', true, false],
    ['unless the hook says allow', hook('oh-my-pi', boom, { onFailure: 'allow' }), 'none', false, true],
    ['guards of our own are closed', hook('own', boom), 'deny', true, false],
    ['observers of our own are open', hook('own', boom, { roles: ['observer'] }), 'none', false, true],
  ];
  test.each(table)('%s', async (_title, one, verdict, broken, failedOpen) => {
    const outcome = await go(before('x'), [one]);
    expect([
      outcome.verdict,
      outcome.reasons[0]?.broken ?? false,
      outcome.runs[0]!.failedOpen ?? false,
    ]).toEqual([verdict, broken, failedOpen]);
  });

  test('a refusal by failure names hook, file, line and cause', async () => {
    const outcome = await go(before('x'), [
      hook('own', boom, { id: 'guard', origin: { layer: 'user', file: '/u/hooks.json', line: 7 } }),
    ]);
    expect(outcome.reasons).toEqual([
      { by: 'guard', text: 'hook in hooks.json:7 failed (failed: bug)', broken: true },
    ]);
  });

  test('output before a failure is kept', async () => {
    const outcome = await go(before('x'), [
      hook('opta', `echo so far; echo and >&2; ${HANG}`, { timeoutMs: 300 }),
    ]);
    expect(outcome.runs[0]!.answer).toEqual({
      effects: [],
      failed: { kind: 'timed-out' },
      printed: 'so far\n\nand\n',
      ending: { stderr: 'and\n' },
    });
  });
});

describe('an event that cannot be denied', () => {
  const broken = (name: EventName, onFailure: 'ask' | 'block') =>
    hook('own', boom, { id: 'h', on: name, onFailure });
  const fail = <E extends EventName>(name: E, payload: Payload<E>, onFailure: 'ask' | 'block') =>
    go(event(name, payload), [broken(name, onFailure)]);
  const text = 'hook in hooks.json:';

  test('an event without deny is cancelled by the policies block and ask', async () => {
    for (const onFailure of ['block', 'ask'] as const) {
      const { flow, runs } = await fail('session.switching', { reason: 'new' }, onFailure);
      expect([flow.cancel?.startsWith(text), runs[0]!.failedOpen]).toEqual([true, undefined]);
    }
  });

  test('the policy ask becomes a deny if the event has no question', async () => {
    const outcome = await fail('subagent.start', {}, 'ask');
    expect([outcome.verdict, outcome.reasons[0]!.broken]).toEqual(['deny', true]);
  });

  test('the policy block halts the agent after the fact', async () => {
    const { flow } = await fail('tool.after', { tool: 't', input: {}, content: [] }, 'block');
    expect(flow.halt?.startsWith(text)).toBe(true);
  });

  test('a failure is marked as failed open if the event cannot be refused', async () => {
    for (const onFailure of ['block', 'ask'] as const) {
      const outcome = await fail('session.end', {}, onFailure);
      expect([outcome.verdict, outcome.flow, outcome.runs[0]!.failedOpen]).toEqual(['none', {}, true]);
    }
  });

  test('a failed observer is marked as failed open even with the policy block', async () => {
    const outcome = await go(before('x'), [hook('own', boom, { roles: ['observer'], onFailure: 'block' })]);
    expect([outcome.verdict, outcome.runs[0]!.failedOpen]).toEqual(['none', true]);
  });
});

describe('time', () => {
  test('one budget covers the whole fire, and a hook without time left fails by its policy', async () => {
    const outcome = await go(
      before('x'),
      [hook('goose', HANG, { id: 'slow' }), hook('opta', 'true', { id: 'late' })],
      { budgetMs: 150 },
    );
    expect(outcome.verdict).toBe('deny');
    expect(outcome.runs.map((one) => [one.hook, one.answer?.failed?.kind])).toEqual([
      ['slow', 'timed-out'],
      ['late', 'no-time'],
    ]);
  });

  test('a change after the deadline does not count', async () => {
    let leak: { args: { command: string } } | undefined;
    const outcome = await go(before('x'), [
      hook(
        'opencode',
        (_input: unknown, output: { args: { command: string } }) => {
          leak = output;
          return new Promise(() => {});
        },
        { timeoutMs: 50, onFailure: 'allow' },
      ),
    ]);
    leak!.args.command = 'rm -rf /';
    expect([commandOf(outcome), outcome.verdict, outcome.runs[0]!.failedOpen]).toEqual(['x', 'none', true]);
  });
});

describe('a throw in a plugin', () => {
  test('a throw in a plugin ends its group without affecting other dialects', async () => {
    const outcome = await go(before('x'), [
      hook('opencode', boom, { id: 'p1' }),
      hook('opencode', () => {}, { id: 'p2' }),
      hook('claude-agent-sdk', () => ({}), { id: 'sdk' }),
    ]);
    expect([outcome.verdict, outcome.reasons, skipped(outcome, 'p2')]).toEqual([
      'deny',
      [{ by: 'p1', text: 'bug' }],
      'stopped by p1',
    ]);
  });
});

describe('a configured hook that cannot run', () => {
  const missing = (why: HookFailure) => hook('own', '', { id: 'm', run: { kind: 'missing', why } });

  test('a hook that cannot run fails by its policy instead of disappearing', async () => {
    const outcome = await go(before('x'), [missing({ kind: 'not-loaded', detail: 'no such module' })]);
    expect(outcome.verdict).toBe('deny');
    expect(outcome.reasons[0]!.text).toContain('not-loaded: no such module');
  });

  test('a hook that waits for trust is skipped and recorded', async () => {
    const outcome = await go(before('x'), [missing({ kind: 'not-trusted' })]);
    expect([outcome.verdict, skipped(outcome, 'm')]).toEqual(['none', 'not trusted']);
  });

  test('a hook that waits for trust does not run on the final value either', async () => {
    const change = hook('own', () => ({ kind: 'set', at: ['input', 'command'], to: 'y' }), {
      roles: ['mutator'],
    });
    const outcome = await go(before('x'), [missing({ kind: 'not-trusted' }), change]);
    expect([outcome.verdict, outcome.runs.filter((one) => one.hook === 'm').length]).toEqual(['none', 1]);
  });
});

describe('nothing a hook does is thrown at the host', () => {
  const THEN = ['t', 'hen'].join(''); // the method that `await` reads
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no');
      },
      getPrototypeOf: () => {
        throw new Error('no');
      },
    },
  );
  const throws = (value: unknown) => () => {
    throw value;
  };
  const table: [string, () => unknown][] = [
    ['throws null', throws(null)],
    ['throws undefined', throws(undefined)],
    ['throws a proxy', throws(hostile)],
    ['throws an object without a prototype', throws(Object.create(null))],
    [
      'throws an error whose message throws',
      throws(Object.defineProperty(new Error(), 'message', { get: throws(1) })),
    ],
    ['returns a proxy', () => hostile],
    ['returns null', () => null],
    [
      'returns an object whose then throws',
      () => Object.defineProperty({}, THEN, { get: throws(new Error('x')) }),
    ],
    ['rejects with a proxy', () => Promise.reject(hostile)],
    ['resolves with a proxy', () => ({ [THEN]: (ok: (v: unknown) => void) => ok([hostile]) })],
  ];
  test.each(table)('a guard that %s refuses', async (_title, fn) => {
    const outcome = await go(before('x'), [hook('own', fn)]);
    expect([outcome.verdict, outcome.reasons[0]?.broken]).toEqual(['deny', true]);
  });
  test.each(table)('a guard that %s refuses, also if the event has a deadline', async (_title, fn) => {
    const outcome = await go(before('x'), [hook('own', fn)], { budgetMs: 60_000 });
    expect([outcome.verdict, outcome.reasons[0]?.broken]).toEqual(['deny', true]);
  });

  test('a runner that throws or returns nonsense is a failure', async () => {
    for (const run of [() => Promise.reject(new Error('x')), () => null as never]) {
      const outcome = await go(before('x'), [hook('own', () => undefined, { when: () => true })], { run });
      expect(outcome.runs[0]!.answer?.failed?.kind).toBe('unreadable');
      expect(outcome.verdict).toBe('deny');
    }
  });

  test('a payload that cannot be written is a failure', async () => {
    const write = throws(new Error('too large')) as () => never;
    const dialects = [{ ...own, payload: { ...own.payload, write } }];
    const outcome = await go(before('x'), [hook('own', () => undefined, { when: () => true })], { dialects });
    expect(outcome.runs[0]!.answer?.failed).toEqual({ kind: 'unreadable', detail: 'too large' });
  });
});

describe('a value that does not fit the row of its event', () => {
  const result = () => event('tool.after', { tool: 'shell', input: {}, content: [] });
  const misfit = { kind: 'set', at: ['content'], to: 5 };
  const why = '"content" of tool.after must be a list, got a number (5)';

  test.each<[string, Hook['onFailure'], readonly Hook['roles'][number][], unknown, boolean]>([
    ['a hook that fails closed stops what can still be stopped', 'block', ['guard'], true, false],
    ['one that fails open is passed over, with a mark', 'allow', ['guard', 'mutator'], undefined, true],
    ['and so is an observer', 'block', ['observer'], undefined, true],
  ])('%s', async (_title, onFailure, roles, halts, failedOpen) => {
    const one = hook('own', () => misfit, { on: 'tool.after', roles, ...(onFailure && { onFailure }) });
    const outcome = await go(result(), [one]);
    // A hook that fails closed also withholds the result, because it may have been there to redact it.
    const withheld = halts === true ? [{ type: 'text', text: expect.stringContaining('was withheld') }] : [];
    expect(outcome.payload['content']).toEqual(withheld);
    expect(outcome.flow.halt?.includes(why)).toBe(halts);
    expect(outcome.runs[0]!.failedOpen ?? false).toBe(failedOpen);
    expect(outcome.runs[0]!.answer!.failed).toEqual({ kind: 'unreadable', detail: why });
  });

  test('an invalid value voids the answer except for refusals, and every problem is reported', async () => {
    const wrong = { kind: 'set', at: ['input'], to: 'ls' };
    const one = hook('own', () => [{ kind: 'allow' }, wrong, wrong, { kind: 'deny', reason: 'no' }]);
    const { verdict, reasons, runs, payload } = await go(before('x'), [one]);
    expect([verdict, reasons[0]!.text, payload]).toEqual(['deny', 'no', before('x').payload]);
    const said = '"input" of tool.before must be an object, got a string ("ls")';
    expect(runs[0]!.answer!.failed).toEqual({ kind: 'unreadable', detail: `${said}; ${said}` });
  });

  test('an invalid value is a failure for slow and background hooks too', async () => {
    const late = hook('own', async () => misfit, { on: 'tool.after', onFailure: 'block' });
    expect((await go(result(), [late])).flow.halt).toContain(why);
    const heard: unknown[] = [];
    await new Promise<void>((done) => {
      const onLate: Parts['onLate'] = ({ answer }) => {
        heard.push(answer);
        done();
      };
      void go(result(), [{ ...late, background: true, onFailure: 'allow' }], { onLate });
    });
    expect(heard).toEqual([{ effects: [], failed: { kind: 'unreadable', detail: why } }]);
  });
});
