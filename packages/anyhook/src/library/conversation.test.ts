/** What outlives one fire: late answers, stops that were blocked, hooks that fire hooks. */
import { describe, expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { defineHook, type Hooks, resume } from '../index.ts';
import { ground, shell, until, USER } from './fixtures/ground.ts';

describe('a late answer of a background hook', () => {
  test('reaches the next event of its session that takes context, once', async () => {
    const { open } = ground({
      [USER]: { hooks: { 'tool.after': [{ run: `echo '{"context":"lint: 2 errors"}'`, background: true }] } },
    });
    let heard = false;
    const hooks = await open({ watch: { onLate: () => (heard = true) } });
    const after = (session: string) =>
      hooks.fire({
        name: 'tool.after',
        payload: { tool: 'shell', input: {}, content: [] },
        ids: { session },
      });
    await after('a');
    await until(() => heard);
    const said = async (session: string) =>
      (await hooks.fire(shell('ls', { session }))).said.map(({ text }) => text);
    expect(await said('b')).toEqual([]);
    expect(await said('a')).toEqual(['lint: 2 errors']);
    expect(await said('a')).toEqual([]);
  });
});

describe('a stop that is blocked', () => {
  test('makes the agent go on eight times in a row, flagged, then no more; a stop in between begins anew', async () => {
    const flags: boolean[] = [];
    let blocks = true;
    const hooks = await ground().open({
      journal: false,
      hooks: [
        defineHook({
          on: 'turn.stop',
          run: ({ payload }) => {
            flags.push(payload.active);
            return blocks ? resume('not done') : undefined;
          },
        }),
      ],
    });
    const stop = () => hooks.fire({ name: 'turn.stop', payload: { active: false }, ids: { session: 's' } });
    const outcomes = [];
    for (let i = 0; i < 10; i++) outcomes.push(await stop());
    expect(outcomes.map(({ flow }) => flow.resume !== undefined)).toEqual([
      ...Array<boolean>(8).fill(true),
      false,
      true,
    ]);
    expect(flags).toEqual([false, ...Array<boolean>(8).fill(true), false]);
    expect(outcomes[8]?.lost).toEqual(['resume: 8 times in a row']);
    blocks = false;
    await stop();
    blocks = true;
    expect([(await stop()).flow.resume, flags.at(-1)]).toEqual(['not done', false]);
  });

  test('is counted from one process to the next, in its own session only, where the agent does not say it', async () => {
    const { open } = ground();
    const flags: boolean[] = [];
    const stop = async (session?: string) => {
      const run = ({ payload }: { payload: { active: boolean } }) => {
        flags.push(payload.active);
        return resume('not done');
      };
      const host = { name: 'goose', can: EVERYTHING };
      const hooks = await open({
        host,
        sessionStore: 'file',
        journal: false,
        hooks: [defineHook({ on: 'turn.stop', run })],
      });
      const ids = session === undefined ? {} : { session };
      const { flow } = await hooks.fire({ name: 'turn.stop', payload: { active: false }, ids });
      await hooks.close();
      return flow.resume !== undefined;
    };
    const goesOn: boolean[] = [];
    for (let i = 0; i < 10; i++) goesOn.push(await stop('s'));
    expect([goesOn, flags.splice(0)]).toEqual([
      [...Array<boolean>(8).fill(true), false, true],
      [false, ...Array<boolean>(8).fill(true), false],
    ]);
    await stop('another');
    await stop();
    await stop();
    expect(flags).toEqual([false, false, false]);
  });
});

describe('a hook that fires hooks', () => {
  const opened = async (run: (hooks: Hooks, call: string | undefined) => unknown) => {
    let calls = 0;
    const hooks: Hooks = await ground().open({
      journal: false,
      hooks: [
        defineHook({
          on: 'tool.before',
          run: async ({ ids }) => {
            calls++;
            await run(hooks, ids.call);
          },
        }),
      ],
    });
    return { hooks, calls: () => calls };
  };

  test('about the very call it is asked about is refused there, and does not wait for itself', async () => {
    const inner: unknown[] = [];
    const { hooks, calls } = await opened(async (own, call) => {
      const { verdict, reasons } = await own.fire(shell('ls', { session: 's', call }));
      inner.push([verdict, reasons]);
    });
    expect((await hooks.fire(shell('ls', { session: 's', call: '1' }))).verdict).toBe('none');
    const text = 'hooks are being asked about this very tool.before (1)';
    expect([calls(), inner]).toEqual([1, [['deny', [{ by: 'host', text, broken: true }]]]]);
    expect((await hooks.fire(shell('ls', { session: 's', call: '1' }))).verdict).toBe('none');
  });

  test('about another call is asked, and so on, but not without end', async () => {
    let deepest = '';
    const { hooks, calls } = await opened(async (own) => {
      const { verdict, reasons } = await own.fire(shell('ls'));
      if (verdict === 'deny') deepest = reasons[0]!.text;
    });
    expect((await hooks.fire(shell('ls'))).verdict).toBe('none');
    expect([calls(), deepest]).toEqual([8, 'hooks fired from within hooks, 8 levels deep']);
  });

  test('after an await, where no depth can be seen, ends too', async () => {
    const { hooks, calls } = await opened(async (own) => {
      await Promise.resolve();
      await own.fire(shell('ls'));
    });
    expect((await hooks.fire(shell('ls'))).verdict).toBe('none');
    expect(calls()).toBe(10_000);
  });

  test('for an event that cannot be refused is told that nobody was asked', async () => {
    let lost: readonly string[] = [];
    const hooks: Hooks = await ground().open({
      journal: false,
      hooks: {
        'agent.start': async ({ ids }) => {
          const inner = await hooks.fire({ name: 'agent.start', payload: {}, ids });
          lost = inner.lost;
        },
      },
    });
    await hooks.fire({ name: 'agent.start', payload: {}, ids: { session: 's', call: '1' } });
    expect(lost).toEqual(['no hook was asked: hooks are being asked about this very agent.start (1)']);
  });
});
