/** Hooks that return values of the wrong shape: the agent continues, and the user sees what was wrong. */

import type { Callbacks, Effect, EventName } from 'anyhook';
import { describe, expect, test } from 'vitest';
import { stage, transcript } from './fixtures/stage.ts';

const STEPS = [{ calls: [{ tool: 'shell', input: { command: 'echo as it came' } }] }, { text: 'done' }];
/** A hook written in JavaScript, where no compiler checks the effects. */
const saying = (event: EventName, ...effects: readonly Effect[]): Callbacks =>
  ({ [event]: () => effects }) as Callbacks;
const set = (field: string, to: unknown): Effect => ({ kind: 'set', at: [field], to });

async function ran(callbacks: Callbacks) {
  const ground = stage();
  const agent = await ground.open(STEPS, { hooks: { hooks: callbacks } });
  await agent.prompt('go');
  const warnings = ground.seen.flatMap((one) =>
    one.kind === 'notice' && one.level !== 'info' ? [one.text] : [],
  );
  return { said: transcript(agent), warnings };
}
const USUAL = [
  'user: go',
  'assistant: shell{"command":"echo as it came"}',
  'shell: as it came',
  'assistant: done',
];

describe('a value that does not fit its event', () => {
  test.each<[EventName, Effect, string]>([
    ['tool.after', set('content', 5), '"content" of tool.after must be a list, got a number (5)'],
    [
      'tool.after',
      { kind: 'set', at: ['content'] },
      '"content" of tool.after cannot be removed, expected a list',
    ],
    [
      'model.context',
      set('messages', 'none'),
      '"messages" of model.context must be a list, got a string ("none")',
    ],
    [
      'model.parameters',
      set('temperature', 'hot'),
      '"temperature" of model.parameters must be a number, got a string ("hot")',
    ],
    ['shell.env', set('env', ['PATH']), '"env" of shell.env must be an object, got a list (["PATH"])'],
    [
      'tool.offered',
      set('description', {}),
      '"description" of tool.offered must be a string, got an object ({})',
    ],
    [
      'agent.before',
      { kind: 'give', what: 'message', value: 5 },
      'the gift "message" must be a string or an object, got a number (5)',
    ],
  ])('a value for %s that does not fit is ignored and reported: %j', async (event, effect, why) => {
    const { said, warnings } = await ran(saying(event, effect));
    expect(said).toEqual(USUAL);
    expect(new Set(warnings)).toEqual(
      new Set([expect.stringMatching(new RegExp(`^${event}: .* failed \\(unreadable: `))]),
    );
    expect(warnings[0]).toContain(why);
  });

  test('a guard that returns a value of the wrong shape refuses the call and reports the problem', async () => {
    const { said } = await ran(saying('tool.before', set('input', 5)));
    expect(said[2]).toContain('"input" of tool.before must be an object, got a number (5)');
  });
});

test('a message part of unknown shape reaches the model as text', async () => {
  const odd = [null, 5, 'plain', { type: 'text' }, { type: 'text', text: 'own' }];
  const after = await ran(saying('tool.after', set('content', odd)));
  expect(after.said[2]).toMatch(/^shell: null\n5\nplain\n\{"type":"text"\}\nown\n/);
  expect(after.said[3]).toBe('assistant: done');
  const message = await ran(
    saying('agent.before', { kind: 'give', what: 'message', value: { content: odd } }),
  );
  expect(message.said[1]).toBe('hidden hook: null\n5\nplain\n{"type":"text"}\nown');
  expect(message.said.at(-1)).toBe('assistant: done');
});
