import { describe, expect, test } from 'vitest';
import { frozenCopy } from '../events/copy.ts';
import type { Event } from '../events/event.ts';
import { before } from './fixtures/stage.ts';
import { FrozenEvent } from './frozen.ts';

const attempt = (change: () => unknown) => {
  try {
    change();
  } catch (error) {
    return error instanceof TypeError;
  }
  return 'it was possible';
};
const host = (): Event => ({
  ...before('ls', { list: [{ deep: 1 }] }),
  ids: { session: 's', call: 'c' },
  native: { tool: 'Bash', args: { command: 'cmd' } },
  raw: { native: { deep: true } },
});
type Free = {
  name: string;
  payload: { input: { command: string; list: { deep: number }[] } };
  ids: { session: string };
  scene: { cwd: string };
  native: { tool: string; args: Record<string, string> };
  raw: { native: { deep: boolean } };
  extra: unknown;
  toJSON(): Free;
};
const freely = (event: Event) => new FrozenEvent(event) as unknown as Free;

describe('a frozen event', () => {
  const writes: [string, (event: Free) => unknown][] = [
    ['an argument', (e) => (e.payload.input.command = 'rm')],
    ['something deep in the payload', (e) => (e.payload.input.list[0]!.deep = 2)],
    ['a list', (e) => e.payload.input.list.push({ deep: 2 })],
    ['an id', (e) => (e.ids.session = 'x')],
    ['the scene', (e) => (e.scene.cwd = '/')],
    ['the spelling', (e) => (e.native.args['command'] = 'x')],
    ['the raw payload', (e) => (e.raw.native.deep = false)],
    ['a field of the event', (e) => (e.name = 'session.end')],
    ['a field of its own', (e) => (e.extra = 1)],
    ['a getter for those who come later', (e) => Object.defineProperty(e, 'payload', { value: {} })],
    ['what it prints', (e) => (e.toJSON().payload.input.command = 'rm')],
    ['its class', (e) => Object.defineProperty(Object.getPrototypeOf(e), 'payload', { value: {} })],
    ['its prototype', (e) => Object.setPrototypeOf(e, {})],
  ];
  test.each(writes)('cannot be modified: %s', (_title, write) => {
    const event = host();
    expect(attempt(() => write(freely(event)))).toBe(true);
    expect(event).toEqual(host());
  });

  test("leaves the host's own objects unfrozen", () => {
    const event = host();
    const { payload, ids, raw } = freely(event);
    expect([payload, ids, raw]).toEqual([event.payload, event.ids, event.raw]);
    (event.payload as unknown as Free['payload']).input.list.push({ deep: 3 });
    expect(Object.isFrozen(event.payload) || Object.isFrozen(event.ids) || Object.isFrozen(event.raw)).toBe(
      false,
    );
  });

  test('returns the same objects on every read', () => {
    const event = freely(host());
    expect(event.payload).toBe(event.payload);
  });

  test('serialises to JSON with all its fields', () => {
    const { name, payload, ids, scene, native, round } = host();
    expect(JSON.parse(JSON.stringify(freely(host())))).toEqual({ name, payload, ids, scene, native, round });
  });
});

describe('a frozen copy', () => {
  test('keeps cycles, unusual keys and values that are not plain data', () => {
    const date = new Date(0);
    const odd = JSON.parse('{"__proto__": {"polluted": true}, "a": 1}') as Record<string, unknown>;
    const loop: Record<string, unknown> = { date, odd, bare: Object.assign(Object.create(null), { a: 1 }) };
    loop['self'] = loop;
    const copy = frozenCopy(loop) as typeof loop;
    expect(copy['self']).toBe(copy);
    expect(copy['date']).toBe(date);
    expect(Object.keys(copy['odd'] as object)).toEqual(['__proto__', 'a']);
    expect((copy['odd'] as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(copy['bare'])).toBeNull();
  });

  test.each([undefined, null, 0, '', 'text', true, 10n])('of %s is the value itself', (value) => {
    expect(frozenCopy(value)).toBe(value);
  });
});
