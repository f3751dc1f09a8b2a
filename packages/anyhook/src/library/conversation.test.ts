/** State that outlives one fire: late answers, blocked stops, hooks that fire events. */

import { describe, expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { defineHook, type Hooks, resume } from '../index.ts';
import { ground, shell, until, USER } from './fixtures/ground.ts';

describe('a late answer of a background hook', () => {
  test('a late answer reaches the next event of its session that accepts context, once', async () => {
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
  test('a blocked stop resumes the agent at most eight times in a row, and an accepted stop resets the count', async () => {
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

  test('blocked stops are counted across processes per session if the agent does not report them', async () => {
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

  test('a hook that fires the call it is judging is refused and does not deadlock', async () => {
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

  test('a hook that fires another call is answered, up to a depth limit', async () => {
    let deepest = '';
    const { hooks, calls } = await opened(async (own) => {
      const { verdict, reasons } = await own.fire(shell('ls'));
      if (verdict === 'deny') deepest = reasons[0]!.text;
    });
    expect((await hooks.fire(shell('ls'))).verdict).toBe('none');
    expect([calls(), deepest]).toEqual([8, 'hooks fired from within hooks, 8 levels deep']);
  });

  test('nested fires after an await end too, although their depth is unknown', async () => {
    const { hooks, calls } = await opened(async (own) => {
      await Promise.resolve();
      await own.fire(shell('ls'));
    });
    expect((await hooks.fire(shell('ls'))).verdict).toBe('none');
    expect(calls()).toBe(10_000);
  });

  test('a nested fire of an event that cannot be refused reports that no hook was called', async () => {
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
    expect(lost).toEqual(['no hook was called: hooks are being asked about this very agent.start (1)']);
  });
});
