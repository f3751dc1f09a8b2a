import { describe, expect, test } from 'vitest';
import type { Effect } from './effects.ts';
import type { Event } from './event.ts';
import { EVENT_NAMES, type EventName, type Payload, rowOf } from './events.ts';
import { type Gift, GIFTS } from './gifts.ts';
import { misfitOf } from './misfit.ts';
import { NEAREST } from './nearest.ts';
import { giftSchemaOf, schemaOf } from './validate.ts';
import { z } from 'zod';

const at = <E extends EventName>(name: E, payload: Payload<E>): Event =>
  ({ name, payload, ids: { session: 's' }, scene: { cwd: '/' }, round: 1 }) as Event;
const set = (where: [string, string?], to: unknown): Effect => ({ kind: 'set', at: where, to });
const remove = (...where: [string, string?]): Effect => ({ kind: 'set', at: where });
const give = (what: Gift, value: unknown): Effect => ({ kind: 'give', what, value });

const RESULT = at('tool.after', { tool: 'shell', input: {}, content: [], title: 't' });
const CALL = at('tool.before', { tool: 'shell', input: { command: 'ls' } });
const SHELL = at('shell.env', { cwd: '/', env: { A: 'a' } });
const SYSTEM = at('model.system', { system: ['one'] });
const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;

describe('what does not fit is named: the field, what came, what is expected', () => {
  test.each<[string, Effect, Event, string]>([
    ['a field', set(['content'], 5), RESULT, '"content" of tool.after is a number (5), a list is expected'],
    [
      'nothing in place of something',
      set(['content'], undefined),
      RESULT,
      '"content" of tool.after is undefined, a list is expected',
    ],
    [
      'a key of what has none',
      set(['content', 'text'], 'x'),
      RESULT,
      '"content" of tool.after is an object ({"text":"x"}), a list is expected',
    ],
    [
      'a field that must be there',
      remove('content'),
      RESULT,
      '"content" of tool.after cannot be taken away, a list is expected',
    ],
    ['a key', set(['env', 'B'], 5), SHELL, '"env.B" of shell.env is a number (5), a text is expected'],
    [
      'a key of a whole',
      set(['env'], { A: 'a', B: true }),
      SHELL,
      '"env.B" of shell.env is true or false (true), a text is expected',
    ],
    [
      'an item',
      set(['system'], ['one', null]),
      SYSTEM,
      '"system[1]" of model.system is null, a text is expected',
    ],
    [
      'an input that is none',
      set(['input'], 'ls'),
      CALL,
      '"input" of tool.before is a text ("ls"), an object is expected',
    ],
    [
      'what JSON has no word for',
      set(['title'], () => 5),
      RESULT,
      '"title" of tool.after is a function, a text is expected',
    ],
    [
      'what cannot be shown',
      set(['title'], cyclic),
      RESULT,
      '"title" of tool.after is an object (cannot be shown), a text is expected',
    ],
    [
      'a gift',
      give('title', 5),
      at('session.start', {}),
      'the gift "title" is a number (5), a text is expected',
    ],
    [
      'a part of a gift',
      give('response', { headers: { a: 5 } }),
      at('model.request', { url: 'u', method: 'GET' }),
      'the gift "response.headers.a" is a number (5), a text is expected',
    ],
  ])('%s', (_what, effect, event, said) => {
    expect(misfitOf(effect, event)).toBe(said);
  });
});

describe('no fault is', () => {
  const WRONG = at('tool.after', { tool: 'shell', input: {}, content: 'text', isError: 'no' } as never);
  test.each<[string, Effect, Event]>([
    ['what fits', set(['content'], [{ type: 'text', text: 'x' }]), RESULT],
    ['a key of anything', set(['details', 'x'], 5), RESULT],
    ["an argument of a tool: its type is the tool's own affair", set(['input', 'command'], 5), CALL],
    ['a key that goes', remove('env', 'A'), SHELL],
    ['a field that need not be there', remove('title'), RESULT],
    [
      'a field that was not there',
      remove('content'),
      at('tool.after', { tool: 'shell', input: {} } as never),
    ],
    ['what the host sent wrong and the hook passes on', set(['content'], 'text'), WRONG],
    ['a sound value in place of what the host sent wrong', set(['isError'], true), WRONG],
    ['a change that does not count there', set(['tool'], 5), CALL],
    ['a gift that does not count there', give('title', 5), CALL],
    ['anything else a hook says', { kind: 'deny' }, CALL],
  ])('%s', (_what, effect, event) => {
    expect(misfitOf(effect, event)).toBeUndefined();
  });
});

const LATER: ReadonlySet<Gift> = new Set(['environment', 'rules']);
test('an event that stands in for another takes the same values in the fields and gifts they share', () => {
  const near = EVENT_NAMES.flatMap((name) => (NEAREST[name] ?? []).map(({ at }) => [name, at] as const));
  for (const [name, at] of near) {
    const [own, other] = [schemaOf(name).shape, schemaOf(at).shape] as Record<string, z.ZodType>[];
    for (const field of rowOf(name).mutable.filter((one) => rowOf(at).mutable.includes(one)))
      expect(z.toJSONSchema(own![field]!)).toEqual(z.toJSONSchema(other![field]!));
    // What is for later calls is ignored, and recorded, at an event that has no such gifts.
    const gifts = (rowOf(name).gives ?? []).filter(
      (gift) => !LATER.has(gift) || rowOf(at).gives !== undefined,
    );
    for (const gift of gifts) expect(rowOf(at).gives).toContain(gift);
  }
});

test('every gift says what it is, is taken somewhere, and goes into JSON Schema', () => {
  for (const what of Object.keys(GIFTS) as Gift[]) {
    expect(GIFTS[what].is).toMatch(/^[a-z].*[^.]$/);
    expect(EVENT_NAMES.filter((name) => rowOf(name).gives?.includes(what)).length).toBeGreaterThan(1);
    expect(z.toJSONSchema(giftSchemaOf(what))).toHaveProperty('$schema');
  }
});
