import { describe, expect, test } from 'vitest';
import { EVENT_NAMES, type EventName } from '../../../events/events.ts';
import { dialectContract, event, SAMPLES } from '../../../testing/index.ts';
import { configHook } from './config.ts';
import { hookFromPlugin, hooksFromPlugin } from './definition.ts';
import { opencode } from './index.ts';
import { CONFIG_WORDS, EVENT_WORDS, isConfigWord, OPENCODE_WORDS, words } from './names.ts';
import { nativeOf } from './payload.ts';

const origin = { layer: 'user', file: 'p.ts', line: 1 } as const;
const plugin = (on: string) => hookFromPlugin({ on, origin, fn: () => {}, timeoutMs: 30_000 })!;
const hookFor = (on: string) =>
  isConfigWord(on) ? configHook({ command: ['true'] }, { on, place: origin, index: 0, line: 1 }) : plugin(on);

const gaps = [
  {
    reason: 'a hook gets two arguments, and neither says which hook it is: see the round trip below',
    payloads: EVENT_NAMES,
  },
  {
    reason: 'the bus, commands and config only watch',
    answers: [...EVENT_WORDS, ...CONFIG_WORDS, 'config', 'event'],
  },
];

describe('the contract of dialects', () => {
  for (const { title, check } of dialectContract(opencode, { hookFor, gaps })) test(title, check);
});

/** Read as `other`, because the agent reports these to its plugins in another way too. */
const TOLD_TWICE = new Set([
  'agent.before event:message.updated',
  'agent.before event:message.part.updated',
  'agent.idle event:session.status',
  'turn.end event:message.updated',
  'model.text event:message.part.updated',
  'tool.after event:todo.updated',
  'tool.permission event:permission.asked',
  'tool.denied event:permission.replied',
  'tool.after event:message.part.updated',
]);

describe('reading plugin arguments back', () => {
  const spoken = (Object.entries(words) as [EventName, readonly string[] | null][]).flatMap(([name, list]) =>
    (list ?? []).map((word) => ({ name, word })),
  );
  test.each(spoken.filter(({ word }) => !isConfigWord(word)))(
    '$name is read back from $word',
    ({ name, word }) => {
      const before = event(
        name,
        (name === 'other' ? { word: 'event:todo.updated', body: {} } : SAMPLES[name]) as never,
      );
      const after = opencode.payload.read(nativeOf(before, word));
      const expected = TOLD_TWICE.has(`${name} ${word}`) ? 'other' : name;
      expect([after.name, after.scene.cwd]).toEqual([expected, '/project']);
    },
  );

  test.each([
    ['tool.before', 'tool.execute.before'],
    ['tool.after', 'tool.execute.after'],
  ] as const)('reading %s keeps the session and the call', (name, word) => {
    const ids = { session: 's', call: 'c' };
    expect(opencode.payload.read(nativeOf(event(name, SAMPLES[name], { ids }), word)).ids).toEqual(ids);
  });
});

test('one event hook listens to every event of the bus', () => {
  const hooks = hooksFromPlugin({ on: 'event', origin, fn: () => {}, timeoutMs: 1 });
  expect(hooks.map(({ on }) => on)).toEqual(EVENT_WORDS);
  expect(hooks.length).toBeGreaterThan(8);
});

test('an unknown name makes no hook, and names of settings commands are not plugin hooks', () => {
  expect(plugin('tool.execute.befor')).toBeUndefined();
  expect(plugin('file_edited')).toBeUndefined();
});

test('an unknown hook is rejected with the known ones', () => {
  expect(() => opencode.payload.read({ name: 'PreToolUse', input: {} })).toThrow(
    /not an OpenCode hook: "PreToolUse"; known are .*tool\.execute\.before/,
  );
  expect(OPENCODE_WORDS).toContain('permission.ask');
});
