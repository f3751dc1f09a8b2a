import { describe, expect, test } from 'vitest';
import { type EventName, rowOf } from './events.ts';
import { firedAt, NEAREST } from './nearest.ts';
import { faultsIn } from './validate.ts';

const SAMPLES: { readonly [E in EventName]?: Record<string, unknown> } = {
  'tool.before': { tool: 'shell', input: { command: 'ls' } },
  'tool.after': { tool: 'edit', input: { path: '/p/a.ts' }, content: [{ type: 'text', text: 'done' }] },
  'tool.failed': { tool: 'shell', input: { command: 'ls' }, error: 'no' },
  'prompt.submit': { prompt: 'p', parts: [] },
  'agent.end': { messages: [] },
};
const ids = { session: 's', call: 'c1' };
const ROWS = (Object.keys(NEAREST) as EventName[]).flatMap((name) =>
  NEAREST[name]!.map((nearest) => ({ name, ...nearest })),
);

describe.each(ROWS)('$name at $at', ({ name, at, toMissing: as, toFired: back }) => {
  test('builds a valid payload from that of the fired event', () => {
    expect(faultsIn(name, as(SAMPLES[at]!, ids))).toEqual([]);
  });

  test('is mapped to another event without cycles', () => {
    const walk = (next: EventName, way: readonly EventName[]): void => {
      expect(way).not.toContain(next);
      for (const further of NEAREST[next] ?? []) walk(further.at, [...way, next]);
    };
    walk(at, [name]);
  });

  // When the agent is idle it has already stopped, so effects on the stop are lost and reported.
  test.runIf(name !== 'turn.stop')('can be refused wherever the missing event could be refused', () => {
    const refuses = (event: EventName) =>
      rowOf(event).effects.filter((kind) => ['deny', 'ask', 'halt', 'cancel'].includes(kind));
    expect(rowOf(at).effects).toEqual(expect.arrayContaining(refuses(name)));
  });

  test.runIf(back !== undefined)('converts changes back to mutable fields of the fired event', () => {
    const load = SAMPLES[at]!;
    const left = back!(as(load, ids)!, load);
    expect(rowOf(at).mutable).toEqual(expect.arrayContaining(Object.keys(left)));
    expect(faultsIn(at, { ...load, ...left })).toEqual([]);
  });
});

test.each([
  [{ tool: 'write', input: { path: 'a' } }, { file: 'a' }],
  [{ tool: 'multi-edit', input: { path: 'a' }, isError: false }, { file: 'a' }],
  [{ tool: 'write', input: { path: 'a' }, isError: true }, null],
  [{ tool: 'read', input: { path: 'a' } }, null],
  [{ tool: 'write', input: {} }, null],
  [{ tool: 'write' }, null],
])('%j reports the edited file %j', (payload, expected) => {
  expect(NEAREST['file.edited']![0]!.toMissing(payload, ids)).toEqual(expected);
});

test('an event with several nearest events is fired at each one that the host has', () => {
  expect([
    firedAt('model.context', ['model.context']),
    firedAt('model.context', ['model.context', 'tool.failed']),
    firedAt('model.context', ['model.context', 'tool.after', 'tool.failed', 'prompt.submit']),
    firedAt('turn.stop', ['turn.stop', 'agent.idle']),
  ]).toEqual([
    ['prompt.submit', 'tool.after', 'tool.failed'],
    ['prompt.submit', 'tool.after'],
    [],
    ['agent.end'],
  ]);
});

describe('what the model will read, as a conversation', () => {
  const at = (event: EventName) => NEAREST['model.context']!.find((one) => one.at === event)!;

  test('presents a prompt as a user message, with its parts', () => {
    const { toMissing: as, toFired: back } = at('prompt.submit');
    const picture = { type: 'image', data: 'x', mimeType: 'image/png' };
    expect([
      as({ prompt: 'p' }, ids),
      as({ prompt: 'p', parts: [{ type: 'text', text: 'p' }] }, ids),
      as({ prompt: 'p', parts: [picture] }, ids),
    ]).toEqual([
      { messages: [{ role: 'user', content: 'p' }] },
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'p' }] }] },
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'p' }, picture] }] },
    ]);
    const left = {
      messages: [
        { role: 'user', content: 'q' },
        { role: 'user', content: 'more' },
      ],
    };
    expect([back!(left, { prompt: 'p' }), back!(left, { prompt: 'p', parts: [] })]).toEqual([
      { prompt: 'q\n\nmore' },
      {
        prompt: 'q\n\nmore',
        parts: [
          { type: 'text', text: 'q' },
          { type: 'text', text: 'more' },
        ],
      },
    ]);
  });

  test('presents a result as a tool call with its result, and converts only the result back', () => {
    const { toMissing: as, toFired: back } = at('tool.after');
    const load = { tool: 'shell', input: { command: 'ls' }, content: [{ type: 'text', text: 'KEY' }] };
    const [call, result] = as(load, ids)!['messages'] as [object, object];
    expect([call, result]).toEqual([
      {
        role: 'assistant',
        content: [{ type: 'toolCall', id: 'c1', name: 'shell', arguments: { command: 'ls' } }],
      },
      { role: 'toolResult', toolCallId: 'c1', toolName: 'shell', content: load.content, isError: false },
    ]);
    const said = [{ type: 'text', text: '***' }];
    expect([
      back!({ messages: [call, { ...result, content: said }, { role: 'user', content: 'more' }] }, load),
      back!({ messages: [] }, load),
    ]).toEqual([{ content: said }, { content: [] }]);
  });

  test('presents a failure as a result with its text', () => {
    const { toMissing: as, toFired: back } = at('tool.failed');
    const load = { tool: 'shell', input: {}, error: 'KEY' };
    const { messages } = as(load, ids) as { messages: [object, object] };
    expect(messages[1]).toEqual({
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: 'shell',
      content: [{ type: 'text', text: 'KEY' }],
      isError: true,
    });
    expect(back!({ messages }, load)).toEqual({ error: 'KEY' });
  });
});
