import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Effect } from './effects.ts';
import type { Event } from './event.ts';
import { EVENT_NAMES, type EventName, type Payload, rowOf } from './events.ts';
import { type Gift, GIFTS } from './gifts.ts';
import { misfitOf } from './misfit.ts';
import { NEAREST } from './nearest.ts';
import { giftSchemaOf, schemaOf } from './validate.ts';

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
    ['a field', set(['content'], 5), RESULT, '"content" of tool.after must be a list, got a number (5)'],
    [
      'nothing in place of something',
      set(['content'], undefined),
      RESULT,
      '"content" of tool.after must be a list, got undefined',
    ],
    [
      'a key of what has none',
      set(['content', 'text'], 'x'),
      RESULT,
      '"content" of tool.after must be a list, got an object ({"text":"x"})',
    ],
    [
      'a field that must be there',
      remove('content'),
      RESULT,
      '"content" of tool.after cannot be removed, expected a list',
    ],
    ['a key', set(['env', 'B'], 5), SHELL, '"env.B" of shell.env must be a string, got a number (5)'],
    [
      'a key of a whole',
      set(['env'], { A: 'a', B: true }),
      SHELL,
      '"env.B" of shell.env must be a string, got a boolean (true)',
    ],
    [
      'an item',
      set(['system'], ['one', null]),
      SYSTEM,
      '"system[1]" of model.system must be a string, got null',
    ],
    [
      'an input that is none',
      set(['input'], 'ls'),
      CALL,
      '"input" of tool.before must be an object, got a string ("ls")',
    ],
    [
      'what JSON has no word for',
      set(['title'], () => 5),
      RESULT,
      '"title" of tool.after must be a string, got a function',
    ],
    [
      'what cannot be shown',
      set(['title'], cyclic),
      RESULT,
      '"title" of tool.after must be a string, got an object (cannot be shown)',
    ],
    [
      'a gift',
      give('title', 5),
      at('session.start', {}),
      'the gift "title" must be a string, got a number (5)',
    ],
    [
      'a part of a gift',
      give('response', { headers: { a: 5 } }),
      at('model.request', { url: 'u', method: 'GET' }),
      'the gift "response.headers.a" must be a string, got a number (5)',
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
test('an event that replaces another accepts the same values in their common fields and gifts', () => {
  const near = EVENT_NAMES.flatMap((name) => (NEAREST[name] ?? []).map(({ at }) => [name, at] as const));
  for (const [name, at] of near) {
    const [own, other] = [schemaOf(name).shape, schemaOf(at).shape] as Record<string, z.ZodType>[];
    for (const field of rowOf(name).mutable.filter((one) => rowOf(at).mutable.includes(one)))
      expect(z.toJSONSchema(own![field]!)).toEqual(z.toJSONSchema(other![field]!));
    // An event without gifts for later calls ignores and records them.
    const gifts = (rowOf(name).gives ?? []).filter(
      (gift) => !LATER.has(gift) || rowOf(at).gives !== undefined,
    );
    for (const gift of gifts) expect(rowOf(at).gives).toContain(gift);
  }
});

test('every gift has a description, belongs to some event, and converts to JSON Schema', () => {
  for (const what of Object.keys(GIFTS) as Gift[]) {
    expect(GIFTS[what].is).toMatch(/^[a-z].*[^.]$/);
    expect(EVENT_NAMES.filter((name) => rowOf(name).gives?.includes(what)).length).toBeGreaterThan(1);
    expect(z.toJSONSchema(giftSchemaOf(what))).toHaveProperty('$schema');
  }
});
