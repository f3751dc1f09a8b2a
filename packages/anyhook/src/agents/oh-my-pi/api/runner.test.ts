import { describe, expect, test } from 'vitest';
import { HOOK_EVENTS } from './event-names.ts';
import { CALL, hookOf, RESULT, runnerOf } from './fixtures/scratch.ts';
import { HookRunner } from './runner.ts';
import type { HookAPI, HookEvent, HookEventName, Message } from './types/index.ts';

type Factory = (pi: HookAPI) => void;
const on =
  (event: HookEventName, handler: (event: never, ctx: never) => unknown): Factory =>
  (pi) =>
    pi.on(event as never, handler as never);

const SWITCH = { type: 'session_before_switch', reason: 'new' } as const;

describe('order', () => {
  test('modules run in their order, handlers as registered, each awaited before the next', async () => {
    const seen: string[] = [];
    const late = (name: string, ms: number) => () =>
      new Promise<void>((go) => setTimeout(() => (seen.push(name), go()), ms));
    const { runner } = runnerOf([
      (pi) => {
        pi.on('agent_start', late('1a', 20));
        pi.on('agent_start', late('1b', 1));
      },
      (pi) => pi.on('agent_start', late('2a', 1)),
    ]);
    await runner.emit({ type: 'agent_start' });
    expect(seen).toEqual(['1a', '1b', '2a']);
  });

  test('all handlers of one emit share one context', async () => {
    const seen: unknown[] = [];
    const keep = on('agent_start', (_event: never, ctx: unknown) => void seen.push(ctx));
    const { runner } = runnerOf([keep, keep]);
    await runner.emit({ type: 'agent_start' });
    expect(seen[0]).toBe(seen[1]);
  });

  test.each(HOOK_EVENTS)('%s reaches its handlers', async (type) => {
    const seen: string[] = [];
    const { runner, errors } = runnerOf([on(type, (event: { type: string }) => void seen.push(event.type))]);
    await runner.emit({ ...CALL, messages: [], prompt: '', content: [], type } as unknown as HookEvent);
    expect([seen, errors]).toEqual([[type], []]);
  });

  test('hasHandlers is true only if a module has one', () => {
    const { runner } = runnerOf([on('agent_start', () => {})]);
    expect([runner.hasHandlers('agent_start'), runner.hasHandlers('tool_call')]).toEqual([true, false]);
    const hook = hookOf(() => {});
    hook.handlers.set('tool_call', []);
    expect(new HookRunner([hook], { cwd: '/' }).hasHandlers('tool_call')).toBe(false);
  });
});

describe('errors of handlers', () => {
  test('handler errors are reported with hook, event and text, and other handlers continue', async () => {
    const seen: string[] = [];
    const { runner, errors } = runnerOf([
      on('agent_start', () => {
        throw new Error('broken');
      }),
      on('agent_start', () => Promise.reject(7)),
      on('agent_start', () => void seen.push('third')),
    ]);
    await runner.emit({ type: 'agent_start' });
    expect(seen).toEqual(['third']);
    expect(errors).toEqual([
      { hookPath: 'h1.ts', event: 'agent_start', error: 'broken' },
      { hookPath: 'h2.ts', event: 'agent_start', error: '7' },
    ]);
  });

  test('handler errors reach every listener until it is removed, also if one throws', async () => {
    const { runner, errors } = runnerOf([on('agent_end', () => Promise.reject(new Error('no')))]);
    const seen: string[] = [];
    runner.onError(() => {
      throw new Error('a bad listener');
    });
    const takeAway = runner.onError(({ error }) => seen.push(error));
    await runner.emit({ type: 'agent_end', messages: [] });
    takeAway();
    await runner.emit({ type: 'agent_end', messages: [] });
    expect([seen, errors.length]).toEqual([['no'], 2]);
  });

  test('handler errors without a listener go to the log of the host', async () => {
    const lines: string[] = [];
    const runner = new HookRunner([hookOf(on('agent_start', () => Promise.reject(new Error('unheard'))))], {
      cwd: '/',
      services: { log: (level, message) => lines.push(`${level} ${message}`) },
    });
    await runner.emit({ type: 'agent_start' });
    expect(lines).toEqual(['warn hook.ts: agent_start: unheard']);
  });
});

describe('tool_call', () => {
  test('the first block ends tool_call, and later handlers do not run', async () => {
    let asked = false;
    const { runner } = runnerOf([
      on('tool_call', () => ({ additionalContext: 'dropped' })),
      on('tool_call', () => ({ block: true, reason: 'no', input: { command: 'other' } })),
      on('tool_call', () => void (asked = true)),
    ]);
    expect([await runner.emitToolCall(CALL), asked]).toEqual([{ block: true, reason: 'no' }, false]);
  });

  test('a block that is a getter of a class blocks too', async () => {
    class Refusal {
      get block() {
        return true;
      }
      get reason() {
        return 'by class';
      }
    }
    const { runner } = runnerOf([(pi) => pi.on('tool_call', () => new Refusal())]);
    expect(await runner.emitToolCall(CALL)).toEqual({ block: true, reason: 'by class' });
  });

  test('without a block the last answer of tool_call counts', async () => {
    const { runner } = runnerOf([
      on('tool_call', () => ({ reason: 'first' })),
      on('tool_call', () => ({ reason: 'second' })),
      on('tool_call', () => null),
    ]);
    expect(await runner.emitToolCall(CALL)).toEqual({ reason: 'second' });
  });

  test('tool_call without an answer returns undefined', async () => {
    const { runner } = runnerOf([on('tool_call', () => false)]);
    expect(await runner.emitToolCall(CALL)).toBeUndefined();
  });

  test('a tool_call handler that throws rejects, so that nobody takes it for consent', async () => {
    const { runner, errors } = runnerOf([
      on('tool_call', () => {
        throw new Error('guard broke');
      }),
    ]);
    await expect(runner.emitToolCall(CALL)).rejects.toThrow('guard broke');
    await expect(runner.emit(CALL as HookEvent as never)).rejects.toThrow('guard broke');
    expect(errors).toEqual([]);
  });

  test('tool_call handlers receive a copy of the input, so changes in place have no effect', async () => {
    const event = { ...CALL, input: { command: 'ls', nested: { deep: 1 } } };
    const seen: unknown[] = [];
    const spoil = on('tool_call', ({ input }: { input: { command: string; nested: { deep: number } } }) => {
      seen.push(structuredClone(input));
      input.command = 'rm -rf /';
      input.nested.deep = 2;
    });
    const { runner } = runnerOf([spoil, spoil]);
    await runner.emitToolCall(event);
    expect(event.input).toEqual({ command: 'ls', nested: { deep: 1 } });
    expect(seen).toEqual([event.input, event.input]);
  });

  test('the last returned input counts; all contexts are kept, blank ones dropped', async () => {
    const { runner } = runnerOf([
      on('tool_call', () => ({ input: { command: 'a' }, additionalContext: 'one' })),
      on('tool_call', () => ({ additionalContext: '  ' })),
      on('tool_call', () => ({ input: { command: 'b' }, additionalContext: 'two' })),
    ]);
    expect(await runner.emitToolCall(CALL)).toEqual({
      input: { command: 'b' },
      additionalContext: 'one\n\ntwo',
    });
  });

  test('an input that is not an object is a failure and refuses the call', async () => {
    const { runner } = runnerOf([on('tool_call', () => ({ input: 'ls' }))]);
    await expect(runner.emitToolCall(CALL)).rejects.toThrow('an input that is not an object');
  });

  test('seedStrict: a returned input and a context are ignored', async () => {
    const { runner } = runnerOf(
      [on('tool_call', () => ({ input: { a: 1 }, additionalContext: 'x', reason: 'r' }))],
      {
        seedStrict: true,
      },
    );
    expect(await runner.emitToolCall(CALL)).toEqual({ reason: 'r' });
  });
});

describe('tool_result', () => {
  const redact = on('tool_result', ({ content }: { content: { text: string }[] }) => ({
    content: content.map((chunk) => ({ ...chunk, text: chunk.text.replaceAll('secret', '[REDACTED]') })),
  }));
  const REDACTED = [{ type: 'text', text: 'API_KEY=[REDACTED]' }];

  test.each([
    ['details', { details: { later: true } }],
    ['isError', { isError: false }],
    ['context', { additionalContext: 'by the way' }],
  ])('a redaction survives an answer with only %s, before or after it', async (_field, answer) => {
    const other = on('tool_result', () => answer);
    for (const factories of [
      [redact, other],
      [other, redact],
    ]) {
      const { runner } = runnerOf(factories);
      expect(await runner.emit(RESULT)).toEqual({ content: REDACTED, ...answer });
    }
  });

  test('a later handler receives earlier changes, so two redactions both survive', async () => {
    const second = on('tool_result', ({ content }: { content: { text: string }[] }) => ({
      content: content.map((chunk) => ({ ...chunk, text: chunk.text.replaceAll('API_KEY', 'KEY') })),
    }));
    const { runner } = runnerOf([redact, second]);
    expect(await runner.emit(RESULT)).toEqual({ content: [{ type: 'text', text: 'KEY=[REDACTED]' }] });
  });

  test('seedStrict: the last answer replaces all others and all handlers see the original, so the redaction is lost', async () => {
    const seen: unknown[] = [];
    const other = on('tool_result', ({ content }: { content: unknown }) => {
      seen.push(content);
      return { details: 1, additionalContext: 'x' };
    });
    const { runner } = runnerOf([redact, other], { seedStrict: true });
    expect([await runner.emit(RESULT), seen]).toEqual([{ details: 1 }, [RESULT.content]]);
  });

  test('fields are merged, an explicit false is kept, and contexts are joined', async () => {
    const { runner } = runnerOf([
      on('tool_result', () => ({ isError: true, additionalContext: 'a' })),
      on('tool_result', () => ({ isError: false, details: 2 })),
      on('tool_result', () => ({ additionalContext: 'b' })),
    ]);
    expect(await runner.emit(RESULT)).toEqual({ isError: false, details: 2, additionalContext: 'a\n\nb' });
  });

  test('a tool_result handler that throws is reported, and earlier changes stay', async () => {
    const { runner, errors } = runnerOf([
      redact,
      on('tool_result', () => Promise.reject(new Error('broke'))),
      on('tool_result', () => ({ content: 'no list' })),
    ]);
    expect(await runner.emit(RESULT)).toEqual({ content: REDACTED });
    expect(errors.map(({ error }) => error)).toEqual([
      'broke',
      'a tool_result handler returned content that is not a list: string',
    ]);
  });

  test('changes in place to a tool_result reach neither the next handler nor the caller', async () => {
    const event = structuredClone(RESULT);
    const { runner } = runnerOf([
      on('tool_result', ({ content }: { content: { text: string }[] }) => void (content[0]!.text = 'spoilt')),
      redact,
    ]);
    expect([await runner.emit(event), event]).toEqual([{ content: REDACTED }, RESULT]);
  });
});

describe('context', () => {
  const user = (content: string): Message => ({ role: 'user', content });

  test('context is chained: each handler receives what the previous one returned', async () => {
    const add = (word: string) =>
      on('context', ({ messages }: { messages: Message[] }) => ({ messages: [...messages, user(word)] }));
    const { runner } = runnerOf([add('one'), on('context', () => ({})), add('two')]);
    expect(await runner.emitContext([user('zero')])).toEqual([user('zero'), user('one'), user('two')]);
  });

  test("context handlers work on a deep copy: the session's own messages stay unchanged", async () => {
    const own = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }];
    const { runner } = runnerOf([
      on('context', ({ messages }: { messages: typeof own }) => {
        messages[0]!.content[0]!.text = 'changed';
        return { messages };
      }),
    ]);
    expect(await runner.emitContext(own)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'changed' }] },
    ]);
    expect(own[0]!.content[0]!.text).toBe('hi');
  });

  test('an error in a context handler keeps the messages so far', async () => {
    const { runner, errors } = runnerOf([
      on('context', () => ({ messages: [user('kept')] })),
      on('context', ({ messages }: { messages: Message[] }) => {
        messages.length = 0;
        throw new Error('half way');
      }),
      on('context', () => ({ messages: 'no list' })),
    ]);
    expect(await runner.emitContext([])).toEqual([user('kept')]);
    expect(errors.map(({ hookPath }) => hookPath)).toEqual(['h2.ts', 'h3.ts']);
  });
});

describe('before_agent_start', () => {
  test('the first message of before_agent_start is kept; later handlers still run', async () => {
    const seen: unknown[] = [];
    const message = (content: string) => ({ customType: 'note', content, display: true });
    const { runner } = runnerOf([
      on('before_agent_start', (event: unknown) => void seen.push(event)),
      on('before_agent_start', () => ({ message: message('first') })),
      on('before_agent_start', () => (seen.push('still asked'), { message: message('second') })),
    ]);
    const images = [{ type: 'image' as const, data: 'AA==', mimeType: 'image/png' }];
    expect(await runner.emitBeforeAgentStart('do it', images)).toEqual({ message: message('first') });
    expect(seen).toEqual([{ type: 'before_agent_start', prompt: 'do it', images }, 'still asked']);
  });

  test('before_agent_start without a message returns undefined', async () => {
    const { runner } = runnerOf([on('before_agent_start', () => ({}))]);
    expect(await runner.emitBeforeAgentStart('do it')).toBeUndefined();
  });
});

describe('answers', () => {
  test.each([null, undefined, false, 0, ''])('%j is not an answer', async (said) => {
    const { runner } = runnerOf([
      (pi) => pi.on('session_before_switch', () => ({ cancel: false })),
      (pi) => pi.on('session_before_switch', () => said as never),
    ]);
    expect(await runner.emit(SWITCH)).toEqual({ cancel: false });
  });
  test.each([true, 1, 'yes'])('%j is an answer without content', async (said) => {
    const { runner } = runnerOf([
      (pi) => pi.on('session_before_switch', () => ({ cancel: false })),
      (pi) => pi.on('session_before_switch', () => said as never),
    ]);
    expect(await runner.emit(SWITCH)).toBe(said);
    const guard = runnerOf([(pi) => pi.on('tool_call', () => said as never)]);
    expect(await guard.runner.emitToolCall(CALL)).toEqual({});
  });
});

describe('session events', () => {
  const before = { type: 'session_before_branch', entryId: 'e1' } as const;

  test('the latest answer to a session event counts', async () => {
    const { runner } = runnerOf([
      on('session_before_branch', () => ({ skipConversationRestore: true })),
      on('session_before_branch', () => ({ cancel: false })),
      on('session_before_branch', () => undefined),
    ]);
    expect(await runner.emit(before)).toEqual({ cancel: false });
  });

  test.each([before, SWITCH])('cancel ends the event at once ($type)', async (event) => {
    const { runner } = runnerOf([
      on(event.type, () => ({ cancel: true })),
      on(event.type, () => ({ cancel: false })),
    ]);
    expect(await runner.emit(event)).toEqual({ cancel: true });
  });

  test('a failing hook cancels nothing, and the default continues', async () => {
    const { runner, errors } = runnerOf([on('session_before_branch', () => Promise.reject(new Error('x')))]);
    expect([await runner.emit(before), errors.length]).toEqual([undefined, 1]);
  });

  test('session.compacting: context, prompt and data of one answer are returned together', async () => {
    const answer = { context: ['a', 'b'], prompt: 'shorter', preserveData: { todo: 1 } };
    const { runner } = runnerOf([on('session.compacting', () => answer)]);
    expect(await runner.emit({ type: 'session.compacting', sessionId: 's', messages: [] })).toEqual(answer);
  });

  test('session.compacting: the latest answer wins, and a cancel in it is ignored', async () => {
    const { runner } = runnerOf([
      on('session.compacting', () => ({ cancel: true, context: ['a'] })),
      on('session.compacting', () => ({ prompt: 'shorter' })),
    ]);
    expect(await runner.emit({ type: 'session.compacting', sessionId: 's', messages: [] })).toEqual({
      prompt: 'shorter',
    });
  });

  test('an event without answers returns none', async () => {
    const { runner } = runnerOf([on('session_start', () => ({ cancel: true }))]);
    expect(await runner.emit({ type: 'session_start' })).toBeUndefined();
  });
});

describe('commands and renderers', () => {
  const command =
    (description: string): Factory =>
    (pi) =>
      pi.registerCommand('go', { description, handler: async () => {} });
  const renderer = () => undefined;

  test('the first module with a command or renderer answers; all commands are listed', () => {
    const { runner } = runnerOf([
      (pi) => pi.registerMessageRenderer('note', renderer),
      command('first'),
      command('second'),
      (pi) => pi.registerMessageRenderer('note', () => undefined),
    ]);
    expect(runner.getCommand('go')?.description).toBe('first');
    expect(runner.getCommand('stay')).toBeUndefined();
    expect(runner.getRegisteredCommands().map(({ description }) => description)).toEqual(['first', 'second']);
    expect(runner.getMessageRenderer('note')).toBe(renderer);
    expect(runner.getMessageRenderer('other')).toBeUndefined();
  });

  test('a second registration in the same module replaces the first', () => {
    const { runner } = runnerOf([(pi) => (command('old')(pi), command('new')(pi))]);
    expect(runner.getRegisteredCommands().map(({ description }) => description)).toEqual(['new']);
  });
});
