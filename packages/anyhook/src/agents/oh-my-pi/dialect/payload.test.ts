import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { makeLexicon } from '../../../events/lexicon.ts';
import { event, outcome, SAMPLES } from '../../../testing/index.ts';
import { hookFromHandler } from './definition.ts';
import { ohMyPi } from './index.ts';
import { type PiEventName, words } from './names.ts';
import { tools } from './tools.ts';

const hookFor = (on: string) =>
  hookFromHandler({
    on,
    nth: 1,
    origin: { layer: 'user', file: 'h.ts', line: 1 },
    fn: () => {},
    timeoutMs: 1,
  })!;
const shownTo = (about: Event, word: string): Fields => {
  const request = ohMyPi.payload.write(about, hookFor(word));
  if (request.kind !== 'call') throw new TypeError(request.kind);
  return request.args[0] as Fields;
};

/** Section 5.3 of the reference, row by row, and the additions of pi: the payloads of our sample events. */
const DOCUMENT: { readonly [E in PiEventName]: Fields } = {
  'session.start': { type: 'session_start', source: 'startup', reason: 'startup' },
  'session.end': { type: 'session_shutdown', reason: 'exit' },
  'session.switching': { type: 'session_before_switch', reason: 'new' },
  'session.switched': { type: 'session_switch', reason: 'new', previousSessionFile: 'a.jsonl' },
  'session.branching': { type: 'session_before_branch', entryId: 'e1' },
  'session.branched': { type: 'session_branch', previousSessionFile: 'a.jsonl' },
  'session.navigating': {
    type: 'session_before_tree',
    preparation: {
      targetId: 'e1',
      oldLeafId: 'e2',
      commonAncestorId: 'e0',
      entriesToSummarize: [],
      userWantsSummary: true,
    },
  },
  'session.navigated': { type: 'session_tree', newLeafId: 'e1', oldLeafId: 'e2' },
  'prompt.submit': { type: 'input', text: 'do it', source: 'interactive' },
  'agent.before': { type: 'before_agent_start', prompt: 'do it' },
  'agent.start': { type: 'agent_start' },
  'agent.end': { type: 'agent_end', messages: [] },
  'turn.start': { type: 'turn_start', turnIndex: 0, timestamp: 0 },
  'turn.end': { type: 'turn_end', turnIndex: 0, message: {}, toolResults: [] },
  'model.context': { type: 'context', messages: [{ role: 'user', content: 'hi' }] },
  'tool.before': { type: 'tool_call', toolName: 'bash', toolCallId: 'c1', input: { command: 'ls' } },
  'tool.after': {
    type: 'tool_result',
    toolName: 'bash',
    toolCallId: 'c1',
    input: { command: 'ls' },
    content: [{ type: 'text', text: 'a b' }],
    details: undefined,
    isError: false,
  },
  'tool.failed': {
    type: 'tool_result',
    toolName: 'bash',
    toolCallId: 'c1',
    input: { command: 'ls' },
    content: [{ type: 'text', text: 'exit 1' }],
    details: undefined,
    isError: true,
  },
  'compaction.before': {
    type: 'session_before_compact',
    trigger: 'manual',
    reason: 'manual',
    willRetry: false,
  },
  'compaction.prompt': { type: 'session.compacting', messages: [] },
  'compaction.after': { type: 'session_compact', trigger: 'manual', reason: 'manual', willRetry: false },
  'autocompaction.start': { type: 'auto_compaction_start', reason: 'threshold' },
  'autocompaction.end': { type: 'auto_compaction_end', aborted: false, willRetry: false },
  'retry.start': {
    type: 'auto_retry_start',
    attempt: 1,
    maxAttempts: 3,
    delayMs: 10,
    errorMessage: '429',
  },
  'retry.end': { type: 'auto_retry_end', success: true, attempt: 1 },
  'rule.triggered': { type: 'ttsr_triggered', rules: [] },
  'todo.reminder': { type: 'todo_reminder', todos: [], attempt: 1, maxAttempts: 3 },
};

describe('the payload of a handler', () => {
  test.each(Object.entries(DOCUMENT) as [PiEventName, Fields][])(
    'the payload of %s has the documented fields',
    (name, native) => {
      const about = event(name, SAMPLES[name] as never, { ids: { session: 's1', call: 'c1' } });
      expect(shownTo(about, words[name][0])).toEqual({ ...native, sessionId: 's1', cwd: '/project' });
    },
  );

  test('changes to a payload affect no other handler', () => {
    const about = event('tool.before', { tool: 'shell', input: { command: 'ls', deep: { a: 1 } } });
    const shown = shownTo(about, 'tool_call') as { input: { deep: { a: number } } };
    shown.input.deep.a = 2;
    expect(about.payload.input).toEqual({ command: 'ls', deep: { a: 1 } });
  });
});

describe('events of an oh-my-pi agent', () => {
  const folder = join(import.meta.dirname, 'fixtures/recorded');
  const recorded = readdirSync(folder)
    .filter((file) => !file.startsWith('_'))
    .map((file) => [file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as Fields] as const);
  const lexicon = makeLexicon([tools]);
  /** Converts the agent's call to our names, like a host does. */
  const said = (about: Event): Event => {
    const load = about.payload as { tool?: string; input?: Fields };
    if (load.tool === undefined) return about;
    const { native, ...call } = lexicon.read(load.tool, load.input ?? {});
    return { ...about, payload: { ...load, ...call } as never, native };
  };

  test.each(recorded)('%s is read, and a handler receives the same', (_file, native) => {
    // The first field is for extensions, the second is added where the handler is called.
    const { systemPrompt: _, signal: __, ...same } = native;
    const about = said(ohMyPi.payload.read(native));
    expect(shownTo(about, String(native['type']))).toMatchObject(same);
  });

  test('there are recordings of these events', () => {
    expect(recorded.length).toBeGreaterThan(10);
  });

  test.each([undefined, null, 7, {}, { type: 'tool_cal' }])(
    '%j is not an event and is rejected',
    (native) => {
      expect(() => ohMyPi.payload.read(native)).toThrow('not an oh-my-pi event');
    },
  );
});

describe('answers for an oh-my-pi agent', () => {
  const about = event('tool.before', { tool: 'bash', input: { command: 'ls' } });
  const answer = (over: object, to: Event = about) => {
    const reply = ohMyPi.output.write(outcome(to, over), to);
    return reply.kind === 'returned' ? reply.value : reply;
  };

  test.each([
    ['nothing', {}, undefined],
    ['a refusal', { verdict: 'deny', reasons: [{ by: 'h', text: 'no' }] }, { block: true, reason: 'no' }],
    [
      'a refusal without words',
      { verdict: 'deny' },
      { block: true, reason: expect.stringContaining('blocked') },
    ],
    [
      'another input',
      { payload: { tool: 'bash', input: { command: 'pwd' } }, changed: [{ by: 'h', at: 'input.command' }] },
      { input: { command: 'pwd' } },
    ],
    ['context', { said: [{ by: 'h', to: 'model', text: 'psst' }] }, { additionalContext: 'psst' }],
  ])('tool_call: %s', (_what, over, expected) => {
    expect(answer(over)).toEqual(expected);
  });

  test.each([
    ['session.branching', { flow: { cancel: '' } }, { cancel: true }],
    [
      'session.branching',
      { given: [{ by: 'h', what: 'skip-restore', value: true }] },
      { skipConversationRestore: true },
    ],
    [
      'compaction.before',
      { given: [{ by: 'h', what: 'compaction', value: { summary: 's' } }] },
      { compaction: { summary: 's' } },
    ],
    [
      'session.navigating',
      { given: [{ by: 'h', what: 'summary', value: { summary: 's' } }] },
      { summary: { summary: 's' } },
    ],
    [
      'model.context',
      { payload: { messages: [1] }, changed: [{ by: 'h', at: 'messages' }] },
      { messages: [1] },
    ],
    [
      'compaction.prompt',
      {
        payload: { prompt: 'p' },
        changed: [{ by: 'h', at: 'prompt' }],
        given: [{ by: 'h', what: 'preserve', value: { n: 1 } }],
      },
      { prompt: 'p', preserveData: { n: 1 } },
    ],
    ['agent.start', { verdict: 'deny' }, undefined],
  ] as const)('%s: %j', (name, over, expected) => {
    expect(answer(over, event(name, SAMPLES[name] as never))).toEqual(expected);
  });
});
