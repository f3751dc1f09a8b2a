import { describe, expect, test } from 'vitest';
import type { Dialogs } from '../../../events/services.ts';
import { CALL, runnerOf } from './fixtures/scratch.ts';
import type { HookContext } from './types/index.ts';

const sleep = (ms: number) => new Promise<void>((go) => setTimeout(go, ms));
const never = () => new Promise<never>(() => {});
/** A user who takes a while to answer. */
const slowPerson = (ms: number, over: Partial<Dialogs> = {}): { ui: Dialogs } => ({
  ui: {
    select: async () => undefined,
    confirm: () => sleep(ms).then(() => true),
    input: async () => undefined,
    notify() {},
    ...over,
  },
});

describe("a handler's deadline", () => {
  test('a tool_call handler that exceeds its deadline refuses the call', async () => {
    const { runner } = runnerOf([(pi) => pi.on('tool_call', never)], { timeoutMs: 50 });
    await expect(runner.emitToolCall(CALL)).rejects.toThrow('hook h1.ts did not answer within 50 ms');
  });

  test('other handlers that exceed their deadline are reported, and the next handler runs', async () => {
    const seen: string[] = [];
    const { runner, errors } = runnerOf(
      [(pi) => pi.on('agent_start', never), (pi) => pi.on('agent_start', () => void seen.push('ran'))],
      { timeoutMs: 50 },
    );
    await runner.emit({ type: 'agent_start' });
    expect([seen, errors]).toEqual([
      ['ran'],
      [{ hookPath: 'h1.ts', event: 'agent_start', error: 'hook h1.ts did not answer within 50 ms' }],
    ]);
  });

  test.each([0, -1, NaN, Infinity])('a deadline of %s means the default', async (timeoutMs) => {
    const { runner } = runnerOf(
      [(pi) => pi.on('tool_call', () => sleep(30).then(() => ({ reason: 'in time' })))],
      {
        timeoutMs,
      },
    );
    expect(await runner.emitToolCall(CALL)).toEqual({ reason: 'in time' });
  });

  test('the deadline pauses while the user is asked', async () => {
    const { runner } = runnerOf(
      [
        (pi) =>
          pi.on('tool_call', async (_event, ctx) => ({
            reason: String(await ctx.ui.confirm('Sure?', 'really')),
          })),
      ],
      { timeoutMs: 500, services: slowPerson(1_200) },
    );
    expect(await runner.emitToolCall(CALL)).toEqual({ reason: 'true' });
  });

  test("the deadline continues after a dialog: the handler's own work counts", async () => {
    const { runner } = runnerOf(
      [
        (pi) =>
          pi.on('tool_call', async (_event, ctx) => {
            await ctx.ui.confirm('Sure?', 'really');
            await never();
          }),
      ],
      { timeoutMs: 100, services: slowPerson(200) },
    );
    await expect(runner.emitToolCall(CALL)).rejects.toThrow('did not answer within 100 ms');
  });

  test('creating a custom component counts, and the time that the user looks at it does not', async () => {
    const custom = async (factory: unknown) => {
      await (factory as () => Promise<unknown>)();
      await sleep(1_200);
      return 'chosen';
    };
    const services = slowPerson(0, { custom });
    const quick = async (_event: unknown, ctx: HookContext) => ({
      reason: await ctx.ui.custom<string>(() => ({ render: () => [] })),
    });
    const slow = async (_event: unknown, ctx: HookContext) => ({
      reason: await ctx.ui.custom<string>(never),
    });
    const asking = (handler: typeof quick) =>
      runnerOf([(pi) => pi.on('tool_call', handler)], { timeoutMs: 500, services }).runner.emitToolCall(CALL);
    expect(await asking(quick)).toEqual({ reason: 'chosen' });
    await expect(asking(slow)).rejects.toThrow('did not answer within 500 ms');
  });

  test("an abandoned handler opens no dialogs, and does not pause the next handler's deadline", async () => {
    let asked = 0;
    const services = slowPerson(0, { confirm: async () => (asked++, true) });
    const { runner } = runnerOf(
      [
        (pi) =>
          pi.on('agent_start', async (_event, ctx) => {
            await sleep(100);
            await ctx.ui.confirm('too', 'late');
          }),
        (pi) => pi.on('agent_start', () => sleep(150)),
      ],
      { timeoutMs: 50, services },
    );
    await runner.emit({ type: 'agent_start' });
    await sleep(100);
    expect(asked).toBe(0);
  });
});

describe('an abort of the outer call', () => {
  test('an abort closes the open dialog and rejects', async () => {
    const ending = new AbortController();
    let isClosed = false;
    const confirm: Dialogs['confirm'] = (_title, _message, signal) =>
      new Promise((answer) => {
        signal?.addEventListener('abort', () => ((isClosed = true), answer(false)));
        setTimeout(() => ending.abort(new Error('the person pressed escape')), 20);
      });
    const { runner } = runnerOf(
      [(pi) => pi.on('tool_call', async (_event, ctx) => void (await ctx.ui.confirm('Sure?', 'really')))],
      { services: slowPerson(0, { confirm }) },
    );
    await expect(runner.emitToolCall(CALL, { signal: ending.signal })).rejects.toThrow('pressed escape');
    expect(isClosed).toBe(true);
  });

  test('an abort before the call prevents handlers from running', async () => {
    let asked = false;
    const { runner } = runnerOf([(pi) => pi.on('tool_call', () => void (asked = true))]);
    await expect(runner.emitToolCall(CALL, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(asked).toBe(false);
  });
});
