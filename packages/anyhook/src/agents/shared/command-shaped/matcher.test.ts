import { describe, expect, test } from 'vitest';
import { checkShape } from '../../../events/checker.ts';
import { readDocument } from '../../../events/document.ts';
import type { Event } from '../../../events/event.ts';
import type { Match } from '../../../events/hook.ts';
import { event } from '../../../testing/event.ts';
import { readMatcher } from './matcher.ts';
import type { ShapedEvent } from './terms.ts';

type Row = Pick<ShapedEvent, 'matcher' | 'on' | 'tool'>;
const TOOL: Row = { on: 'tool.before', matcher: 'tool_name' };
const SHELL: Match = { kind: 'names', names: ['Shell'] };
const ANY = { kind: 'any' };
const about = (fields: object) => event('other', { word: 'Setup', body: fields });
const fieldsOf = ({ payload }: Event) => (payload as { body: Record<string, unknown> }).body;

/** Reads a `matcher` from a settings file as the given event row does; undefined: the key is missing. */
function read(matcher: unknown, row: Row, word = 'Setup') {
  const document = readDocument(JSON.stringify({ matcher }), 'hooks.json');
  const { value, problems } = checkShape(document, ['matcher'], (spot) =>
    readMatcher(spot, word, row, fieldsOf),
  );
  return { ...value!, problems };
}
const hears = ({ when }: ReturnType<typeof read>, fields: object) => when?.(about(fields));

describe('a matcher of tools', () => {
  test.each([undefined, '', '*'])(
    'a tool matcher %j matches everything and ignores other fields',
    (matcher) => {
      expect(read(matcher, TOOL)).toEqual({ match: ANY, problems: [] });
    },
  );

  test.each([
    ['Bash', ['Bash']],
    ['Edit|Write', ['Edit', 'Write']],
    ['|Edit||Write|', ['Edit', 'Write']],
  ])('a tool matcher %j is a list of whole names', (matcher, names) => {
    expect(read(matcher, TOOL)).toEqual({ match: { kind: 'names', names }, problems: [] });
  });

  test.each(['Edit, Write', 'mcp-db', '.*', '(Bash)', 'Bash '])(
    'a tool matcher %j is used as a pattern unchanged',
    (matcher) => {
      expect(read(matcher, TOOL)).toEqual({
        match: { kind: 'pattern', source: matcher, test: expect.any(Function) },
        problems: [],
      });
    },
  );

  test('a tool matcher pattern matches anywhere in the name', () => {
    const { match } = read('emory__.', TOOL);
    expect(match.kind === 'pattern' && ['mcp__memory__read', 'memory__'].map(match.test)).toEqual([
      true,
      false,
    ]);
  });

  test('an invalid tool matcher pattern matches everything and is reported with a remedy', () => {
    expect(read('Bash(', TOOL)).toEqual({
      match: ANY,
      problems: [
        {
          code: 'bad-matcher',
          file: 'hooks.json',
          line: 1,
          column: 12,
          key: 'matcher',
          message: expect.stringMatching(/^"Bash\(": .*Unterminated group/),
          remedy: 'Write names with | between them, or a regular expression.',
          severity: 'error',
        },
      ],
    });
  });

  test('a non-string matcher matches everything and is reported', () => {
    const { match, problems } = read(7, TOOL);
    expect([match, problems.map(({ code }) => code)]).toEqual([ANY, ['wrong-type']]);
  });
});

describe('a matcher of another field', () => {
  const START: Row = { on: 'session.start', matcher: 'source' };

  test('a matcher of another field does not change the event if it is empty', () => {
    for (const matcher of [undefined, '', '*'])
      expect(read(matcher, START)).toEqual({ match: ANY, problems: [] });
  });

  test('a matcher of another field compares whole words with the native field', () => {
    const startup = read('startup|resume', START);
    expect(startup.match).toEqual(ANY);
    expect(['startup', 'resume', 'start', undefined, 7].map((source) => hears(startup, { source }))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test('a matcher pattern treats a missing or non-string field as an empty string', () => {
    const empty = read('^$', START);
    expect(
      [{ source: 'x' }, { source: '' }, { source: 7 }, {}].map((fields) => hears(empty, fields)),
    ).toEqual([false, true, true, true]);
  });

  test('a matcher reads an argument of the call if the payload has no such field', () => {
    const rm = read('^rm ', { on: 'tool.before', matcher: 'command', tool: SHELL });
    expect(rm.match).toEqual(SHELL);
    expect(
      [
        { command: 'rm x' },
        { tool_input: { command: 'rm x' } },
        { command: 'ls', tool_input: { command: 'rm x' } },
        { tool_input: 'rm x' },
        {},
      ].map((fields) => hears(rm, fields)),
    ).toEqual([true, true, false, false, false]);
  });

  test('a matcher on an event without a field is ignored and reported', () => {
    const { problems, ...matcher } = read('Bash', { on: 'turn.stop', matcher: null });
    expect([matcher, problems]).toMatchObject([
      { match: ANY },
      [{ code: 'matcher-unused', severity: 'warning', remedy: 'Leave the matcher out.' }],
    ]);
    for (const any of ['', '*']) expect(read(any, { on: 'turn.stop', matcher: null }).problems).toEqual([]);
  });
});

describe('an event name for some calls only', () => {
  test('an event name for some calls only matches these, and its matcher is also tested on the tool', () => {
    const query = read('db', { on: 'tool.before', matcher: 'tool_name', tool: SHELL });
    expect([query.match, hears(query, { tool_name: 'db' }), hears(query, { tool_name: 'db2' })]).toEqual([
      SHELL,
      true,
      false,
    ]);
  });
});

test('a hook for an agent-specific event matches that event only, and its matcher', () => {
  const match = { kind: 'names', names: ['Setup'] };
  expect(read('x', { on: 'other', matcher: null })).toMatchObject({
    match,
    problems: [{ code: 'matcher-unused' }],
  });
  const init = read('init', { on: 'other', matcher: 'trigger' });
  expect([init.match, hears(init, { trigger: 'init' }), hears(init, { trigger: 'later' })]).toEqual([
    match,
    true,
    false,
  ]);
});
