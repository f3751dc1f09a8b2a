import { describe, expect, expectTypeOf, test } from 'vitest';
import { defineHook, type Definition, type HookHost } from './define.ts';
import { allow, context, deny, give, notice, resume, set } from './effects.ts';

describe('defineHook', () => {
  test('keeps the spec with its line number, frozen and branded for every copy of the package', () => {
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

  test('reads the line number from a real Error, as Bun requires', () => {
    const real = Error.captureStackTrace;
    Error.captureStackTrace = (target, above) => {
      if (!(target instanceof Error)) throw new TypeError('First argument must be an Error object');
      real(target, above);
    };
    try {
      expect(defineHook({ on: 'tool.before', run: () => undefined }).line).toBe(27);
    } finally {
      Error.captureStackTrace = real;
    }
  });

  test('does not check the spec; the module loader reports what is wrong with it', () => {
    expect(() => defineHook({ on: 'no.such.event', run: 7 } as never)).not.toThrow();
  });
});

describe('the types of defineHook', () => {
  test('gives the event its payload type and the host its services', () => {
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

  test('accepts an effect that counts on the event, several, none, or a promise of them', () => {
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

  test('rejects an effect that does not count on the event, and an unknown event', () => {
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

  test('accepts a change of a mutable field to a value of its type', () => {
    const hooks = [
      defineHook({ on: 'tool.before', run: () => set('input', 'command', 'ls') }),
      defineHook({ on: 'tool.before', run: () => set('input', { command: 'ls' }) }),
      defineHook({ on: 'tool.before', run: () => ({ kind: 'set', at: ['input', 'timeout'] }) }),
      defineHook({
        on: 'tool.after',
        async run({ payload }) {
          if (payload.title === undefined) return set('title', 'none');
          return [set('isError', true), set('content', [{ type: 'text', text: 'x' }] as const), notice('x')];
        },
      }),
      defineHook({ on: 'tool.after', run: () => [set('details', 'any', 5), set('title', undefined)] }),
      defineHook({ on: 'shell.env', run: () => set('env', 'CI', '1') }),
      defineHook({ on: 'model.request', run: () => set('headers', 'x-any', 5) }),
      defineHook({ on: 'other', run: () => [set('body', { a: 1 }), give('title', 'x')] }),
      defineHook({ on: 'prompt.submit', run: () => give('message', { content: 'x' }) }),
    ];
    expect(hooks).toHaveLength(9);
  });

  test('rejects an unknown field, an immutable field, and a value of the wrong type', () => {
    // @ts-expect-error no event has such a field
    defineHook({ on: 'tool.before', run: () => set('inptu', { command: 'ls' }) });
    // @ts-expect-error content is what a tool returned
    defineHook({ on: 'tool.before', run: () => set('content', []) });
    // @ts-expect-error nor in a list
    defineHook({ on: 'tool.before', run: () => [allow(), set('content', [])] });
    // @ts-expect-error nor later
    defineHook({ on: 'tool.before', run: async () => set('content', []) });
    // @ts-expect-error a list is expected
    defineHook({ on: 'tool.after', run: () => set('content', 5) });
    // @ts-expect-error a list has no keys
    defineHook({ on: 'tool.after', run: () => set('content', 'text', 'x') });
    // @ts-expect-error the input of a call is an object
    defineHook({ on: 'tool.before', run: () => set('input', 'ls') });
    // @ts-expect-error variables are texts
    defineHook({ on: 'shell.env', run: () => set('env', 'CI', 1) });
    // @ts-expect-error here headers are texts, whatever they are elsewhere
    defineHook({ on: 'model.parameters', run: () => set('headers', 'x-any', 5) });
    // @ts-expect-error nor written out
    defineHook({ on: 'tool.after', run: () => ({ kind: 'set', at: ['content'], to: 5 }) });
    expect.assertions(0);
  });

  test('rejects a gift where it does not count, and a gift of the wrong type', () => {
    // @ts-expect-error nothing can be given there
    defineHook({ on: 'tool.before', run: () => give('summary', 'x') });
    // @ts-expect-error a session is given a title or a message
    defineHook({ on: 'session.start', run: () => give('summary', 'x') });
    // @ts-expect-error a title is a text
    defineHook({ on: 'session.start', run: () => give('title', 5) });
    // @ts-expect-error there is no such gift
    defineHook({ on: 'session.start', run: () => give('titel', 'x') });
    expect.assertions(0);
  });
});
