/** Hook modules in the engine, next to hooks of other dialects, follow the rules of the document. */

import { describe, expect, test } from 'vitest';
import type { Event } from '../../../events/event.ts';
import type { CallRequest } from '../../../events/exchange.ts';
import type { WayOf } from '../../../events/hook.ts';
import type { Outcome } from '../../../events/outcome.ts';
import { NEVER } from '../../../events/signal.ts';
import { runCall } from '../../../runners/call.ts';
import { event, runCase } from '../../../testing/index.ts';
import { ohMyPi } from '../dialect/index.ts';
import { engineHooks, type EngineHooksOptions } from './engine-hooks.ts';
import { hookOf } from './fixtures/scratch.ts';
import type { HookAPI, LoadedHook } from './types/index.ts';

const fire = (
  about: Event,
  factories: readonly ((pi: HookAPI) => void)[],
  options: Partial<EngineHooksOptions> = {},
): Promise<Outcome> =>
  fireLoaded(
    about,
    factories.map((factory, index) => hookOf(factory, `h${index + 1}.ts`)),
    options,
  );
const fireLoaded = (
  about: Event,
  loaded: readonly LoadedHook[],
  options: Partial<EngineHooksOptions> = {},
): Promise<Outcome> =>
  runCase({
    dialects: [ohMyPi],
    hooks: engineHooks(loaded, { cwd: '/project', ...options }),
    event: about,
    answers: (hook, request) =>
      runCall(hook.run as WayOf<'call'>, request as CallRequest, {
        timeoutMs: hook.timeoutMs,
        signal: NEVER,
      }),
  });
const shell = (command: string) => event('tool.before', { tool: 'shell', input: { command } });

describe('tool_call in the engine', () => {
  test("a handler receives the agent's own names of tool and arguments, and blocks", async () => {
    const outcome = await fire(shell('rm -rf /'), [
      (pi) =>
        pi.on('tool_call', ({ toolName, input }) =>
          toolName === 'bash' && String(input['command']).includes('rm -rf')
            ? { block: true, reason: 'blocked by policy' }
            : undefined,
        ),
    ]);
    expect([outcome.verdict, outcome.reasons.map(({ text }) => text)]).toEqual([
      'deny',
      ['blocked by policy'],
    ]);
  });

  test('a block that is a class instance blocks too', async () => {
    class Refusal {
      block = true;
      reason = 'by class';
    }
    expect((await fire(shell('ls'), [(pi) => pi.on('tool_call', () => new Refusal())])).verdict).toBe('deny');
  });

  test.each([
    ['throws', () => Promise.reject(new Error('guard broke')), 'guard broke'],
    ['hangs', () => new Promise<never>(() => {}), 'timed-out'],
    ['answers nonsense', () => ({ input: 'ls' }) as never, "returned 'input' is not an object"],
  ])(
    'a handler that %s refuses the call, and the refusal is marked as a failure',
    async (_how, handler, why) => {
      const { verdict, reasons } = await fire(shell('ls'), [(pi) => pi.on('tool_call', handler)], {
        timeoutMs: 50,
      });
      expect([verdict, reasons[0]?.broken, reasons[0]?.text]).toEqual([
        'deny',
        true,
        expect.stringContaining(why),
      ]);
    },
  );

  test.each([
    [undefined, 30_000],
    [50, 50],
    [0, 30_000],
    [NaN, 30_000],
  ])('a deadline of %s is listed as %i ms', (timeoutMs, listed) => {
    const hook = hookOf((pi) => pi.on('tool_call', () => {}));
    const given = { cwd: '/', ...(timeoutMs !== undefined && { timeoutMs }) };
    expect(engineHooks([hook], given).map((one) => one.timeoutMs)).toEqual([listed]);
  });

  test('the deadline only pauses while the user is asked', async () => {
    const asks = (pi: HookAPI) =>
      pi.on('tool_call', async (_event, { ui }) => ({
        block: !(await ui.confirm('Sure?', '')),
        reason: 'no',
      }));
    const confirm = () => new Promise<boolean>((answer) => setTimeout(answer, 1_000, false));
    const ui = { select: async () => undefined, confirm, input: async () => undefined, notify() {} };
    const { reasons } = await fire(shell('ls'), [asks], { timeoutMs: 300, services: { ui } });
    expect(reasons.map(({ text, broken }) => [text, broken])).toEqual([['no', undefined]]);
    // Control: the handler itself spends the same time.
    const slow = (pi: HookAPI) => pi.on('tool_call', async () => void (await confirm()));
    const late = await fire(shell('ls'), [slow], { timeoutMs: 300, services: { ui } });
    expect(late.reasons.map(({ broken }) => broken)).toEqual([true]);
  });

  test('a returned input is a change with our names, and a change in place has no effect', async () => {
    const changed = await fire(shell('ls'), [
      (pi) => pi.on('tool_call', () => ({ input: { command: 'echo' } })),
    ]);
    expect([changed.verdict, changed.payload['input']]).toEqual(['none', { command: 'echo' }]);
    const spoilt = await fire(shell('ls'), [
      (pi) => pi.on('tool_call', ({ input }) => void (input['command'] = 'rm -rf /')),
    ]);
    expect([spoilt.changed, spoilt.payload['input']]).toEqual([[], { command: 'ls' }]);
  });

  test('a guard that allowed the first input runs again for the final one', async () => {
    const { verdict } = await fire(shell('ls'), [
      (pi) =>
        pi.on('tool_call', ({ input }) =>
          String(input['command']).startsWith('rm') ? { block: true } : undefined,
        ),
      (pi) => pi.on('tool_call', () => ({ input: { command: 'rm -rf /' } })),
    ]);
    expect(verdict).toBe('deny');
  });
});

describe('other events in the engine', () => {
  const read = event('tool.after', {
    tool: 'read',
    input: { path: '.env' },
    content: [{ type: 'text', text: 'secret' }],
  });
  const redact = (pi: HookAPI) => pi.on('tool_result', () => ({ content: [{ type: 'text', text: '***' }] }));

  test('a redaction survives answers of other handlers to other fields, in either order', async () => {
    const other = (pi: HookAPI) => pi.on('tool_result', () => ({ details: 1 }));
    for (const factories of [
      [redact, other],
      [other, redact],
    ])
      expect((await fire(read, factories)).payload).toMatchObject({
        content: [{ type: 'text', text: '***' }],
        details: 1,
      });
  });

  test('a failed tool is a tool_result with isError; overrides are recorded as ignored', async () => {
    const seen: unknown[] = [];
    const outcome = await fire(event('tool.failed', { tool: 'shell', input: {}, error: 'exit 1' }), [
      (pi) => pi.on('tool_result', ({ content, isError }) => void seen.push({ content, isError })),
      redact,
    ]);
    expect(seen).toEqual([{ content: [{ type: 'text', text: 'exit 1' }], isError: true }]);
    expect([outcome.changed, outcome.runs[1]?.ignored?.length]).toEqual([[], 1]);
  });

  test.each([
    [true, false],
    [false, true],
  ])('isError that a hook module returns does not change a result with isError %s', async (was, returned) => {
    const failed = { ...read, payload: { ...read.payload, isError: was } } as Event;
    const { payload, runs } = await fire(failed, [
      (pi) => pi.on('tool_result', () => ({ details: 1, isError: returned })),
      redact,
    ]);
    expect(runs[0]?.answer?.notes).toEqual({ notApplied: ['isError'] });
    expect(payload).toMatchObject({ content: [{ type: 'text', text: '***' }], details: 1, isError: was });
  });

  test('isError that an extension returns is applied, as in oh-my-pi and pi', async () => {
    const failed = { ...read, payload: { ...read.payload, isError: true } } as Event;
    const hook = hookOf((pi) => pi.on('tool_result', () => ({ isError: false })));
    const { payload } = await fireLoaded(failed, [{ ...hook, isExtension: true }]);
    expect(payload).toMatchObject({ isError: false });
  });

  test('context is chained', async () => {
    const add = (word: string) => (pi: HookAPI) =>
      pi.on('context', ({ messages }) => ({ messages: [...messages, { role: 'user', content: word }] }));
    const { payload } = await fire(event('model.context', { messages: [] }), [add('one'), add('two')]);
    expect(payload['messages']).toEqual([
      { role: 'user', content: 'one' },
      { role: 'user', content: 'two' },
    ]);
  });

  test('session.compacting: context and prompt of one answer both count, and context of other hooks stays', async () => {
    const about = event('compaction.prompt', { messages: [], context: ['given'], prompt: 'usual' });
    const gives = (answer: object) => (pi: HookAPI) => pi.on('session.compacting', () => answer);
    const both = await fire(about, [gives({ context: ['added'], prompt: 'short', preserveData: { a: 1 } })]);
    expect(both.payload).toMatchObject({ context: ['given', 'added'], prompt: 'short' });
    expect(both.given.map(({ what, value }) => [what, value])).toEqual([['preserve', { a: 1 }]]);
    // The rule of the document for its own handlers: the latest answer wins.
    const latest = await fire(about, [gives({ context: ['first'] }), gives({ context: ['second'] })]);
    expect(latest.payload).toMatchObject({ context: ['given', 'second'], prompt: 'usual' });
    const wrong = await fire(about, [gives({ context: 'no list' })]);
    expect([wrong.payload['context'], wrong.runs[0]?.answer?.failed?.kind]).toEqual([
      ['given'],
      'unreadable',
    ]);
  });

  test('of two messages before the agent starts the first is kept', async () => {
    const message = (content: string) => ({ customType: 'x', content, display: true });
    const gives = (content: string) => (pi: HookAPI) =>
      pi.on('before_agent_start', () => ({ message: message(content) }));
    const { given } = await fire(event('agent.before', { prompt: 'hi' }), [gives('first'), gives('second')]);
    expect(given.map(({ what, value }) => [what, value])).toEqual([['message', message('first')]]);
  });

  test('a cancel ends the event, a compaction is used, and the handler has a signal', async () => {
    const about = event('compaction.before', {
      trigger: 'manual',
      preparation: { tokensBefore: 7 },
      entries: [],
    });
    const seen: unknown[] = [];
    const compaction = { summary: 's', firstKeptEntryId: 'e', tokensBefore: 7 };
    const given = await fire(about, [
      (pi) =>
        pi.on('session_before_compact', ({ preparation, signal }) => {
          seen.push(preparation, signal instanceof AbortSignal);
          return { compaction };
        }),
    ]);
    expect(given.given.map(({ what, value }) => [what, value])).toEqual([['compaction', compaction]]);
    expect(seen).toEqual([{ tokensBefore: 7 }, true]);
    const asked: string[] = [];
    const cancelled = await fire(about, [
      (pi) => pi.on('session_before_compact', () => ({ cancel: true })),
      (pi) => pi.on('session_before_compact', () => void asked.push('second')),
    ]);
    expect([cancelled.flow, asked]).toEqual([{ cancel: '' }, []]);
  });

  test('the latest answer about the compaction prompt wins', async () => {
    const { payload, given } = await fire(event('compaction.prompt', { messages: [] }), [
      (pi) => pi.on('session.compacting', () => ({ context: ['a'], preserveData: { n: 1 } })),
      (pi) => pi.on('session.compacting', () => ({ context: ['b'] })),
    ]);
    expect(payload['context']).toEqual(['b']);
    expect(given.map(({ what }) => what)).toEqual(['preserve']);
  });

  test('a handler that throws is skipped with a mark, and the others continue', async () => {
    const { runs } = await fire(event('session.start', {}), [
      (pi) => pi.on('session_start', () => Promise.reject(new Error('x'))),
      (pi) => pi.on('session_start', () => {}),
    ]);
    expect(runs.map(({ failedOpen }) => failedOpen)).toEqual([true, undefined]);
  });

  test('handlers of unknown events become no hooks', () => {
    const hook = hookOf((pi) => pi.on('tool_cal' as 'tool_call', () => {}));
    expect(engineHooks([hook], { cwd: '/' })).toEqual([]);
  });
});
