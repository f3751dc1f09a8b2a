import { describe, expect, expectTypeOf, test } from 'vitest';
import { defineHook, type Definition, type HookHost } from './define.ts';
import { allow, context, deny, notice, resume, set } from './effects.ts';

describe('defineHook', () => {
  test('keeps what it was given, with the line it stands on, frozen and marked for every copy of the package', () => {
    const run = () => deny('no');
    const hook = defineHook({ on: 'tool.before', match: 'shell', name: 'no-rm', run });
    expect({ ...hook }).toEqual({
      on: 'tool.before',
      match: 'shell',
      name: 'no-rm',
      run,
      line: 8,
      [Symbol.for('anyhook.definition')]: true,
    });
    expect(Object.isFrozen(hook)).toBe(true);
  });

  test('does not check: whoever loads the module names what is wrong with each hook', () => {
    expect(() => defineHook({ on: 'no.such.event', run: 7 } as never)).not.toThrow();
  });
});

describe('the types of defineHook', () => {
  test('give the event its payload and the host its services', () => {
    defineHook({
      on: 'tool.before',
      run(event, host) {
        expectTypeOf(event.name).toEqualTypeOf<'tool.before'>();
        expectTypeOf(event.payload.input).toEqualTypeOf<Record<string, unknown>>();
        expectTypeOf(host).toEqualTypeOf<HookHost>();
        expectTypeOf(host.signal).toEqualTypeOf<AbortSignal>();
        // @ts-expect-error tool.before has no prompt
        void event.payload.prompt;
        // @ts-expect-error the event is read, not written to
        if (host.signal.aborted) event.payload = { tool: '', input: {} };
      },
    });
  });

  test('take an effect that counts on the event, several, none, or a promise of them', () => {
    const hooks = [
      defineHook({ on: 'tool.before', run: () => deny('no') }),
      defineHook({ on: 'tool.before', run: () => [allow(), set('input', 'command', 'ls')] }),
      defineHook({ on: 'tool.before', run: async (event) => (event.round === 2 ? context('x') : undefined) }),
      defineHook({ on: 'turn.stop', run: () => resume('there is more') }),
      defineHook({ on: 'turn.start', run() {} }),
      defineHook({
        on: 'prompt.submit',
        async run(event) {
          if (event.payload.prompt === '') return deny('say something');
          return;
        },
      }),
    ];
    expect(hooks).toHaveLength(6);
    expectTypeOf(hooks[3]!).toExtend<Definition | Definition<'turn.stop'>>();
  });

  test('refuse an effect that does not count, and an event that does not exist', () => {
    // @ts-expect-error nobody can deny that a turn has started
    defineHook({ on: 'turn.start', run: () => deny('no') });
    // @ts-expect-error nor in a list
    defineHook({ on: 'turn.start', run: () => [notice('fine'), deny('no')] });
    // @ts-expect-error nor later
    defineHook({ on: 'turn.start', run: async () => deny('no') });
    // @ts-expect-error a stop is resumed, not denied
    defineHook({ on: 'turn.stop', run: () => deny('no') });
    // @ts-expect-error no such event
    defineHook({ on: 'tool.befor', run: () => deny('no') });
    // @ts-expect-error no such answer to a failure
    defineHook({ on: 'tool.before', onFailure: 'deny', run: () => deny('no') });
    expect.assertions(0);
  });
});
