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

/** A `matcher` in a settings file, as a row of the agent's events reads it; undefined: the key is not there. */
function read(matcher: unknown, row: Row, word = 'Setup') {
  const document = readDocument(JSON.stringify({ matcher }), 'hooks.json');
  const { value, problems } = checkShape(document, ['matcher'], (spot) =>
    readMatcher(spot, word, row, fieldsOf),
  );
  return { ...value!, problems };
}
const hears = ({ when }: ReturnType<typeof read>, fields: object) => when?.(about(fields));

describe('a matcher of tools', () => {
  test.each([undefined, '', '*'])('that is %j is any, and nothing is looked at besides', (matcher) => {
    expect(read(matcher, TOOL)).toEqual({ match: ANY, problems: [] });
  });

  test.each([
    ['Bash', ['Bash']],
    ['Edit|Write', ['Edit', 'Write']],
    ['|Edit||Write|', ['Edit', 'Write']],
  ])('%j is a list of whole words', (matcher, names) => {
    expect(read(matcher, TOOL)).toEqual({ match: { kind: 'names', names }, problems: [] });
  });

  test.each(['Edit, Write', 'mcp-db', '.*', '(Bash)', 'Bash '])(
    '%j is a pattern, as it was written',
    (matcher) => {
      expect(read(matcher, TOOL)).toEqual({
        match: { kind: 'pattern', source: matcher, test: expect.any(Function) },
        problems: [],
      });
    },
  );

  test('that is a pattern is found anywhere in the name', () => {
    const { match } = read('emory__.', TOOL);
    expect(match.kind === 'pattern' && ['mcp__memory__read', 'memory__'].map(match.test)).toEqual([
      true,
      false,
    ]);
  });

  test('that is no pattern is any, and said with what to write instead', () => {
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

  test('that is no text is any, and said', () => {
    const { match, problems } = read(7, TOOL);
    expect([match, problems.map(({ code }) => code)]).toEqual([ANY, ['wrong-type']]);
  });
});

describe('a matcher of another field', () => {
  const START: Row = { on: 'session.start', matcher: 'source' };

  test('leaves the event alone where it says nothing', () => {
    for (const matcher of [undefined, '', '*'])
      expect(read(matcher, START)).toEqual({ match: ANY, problems: [] });
  });

  test('compares whole words with the field that the agent would send', () => {
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

  test('tests a pattern on that field; what is missing or no text is the empty one', () => {
    const empty = read('^$', START);
    expect(
      [{ source: 'x' }, { source: '' }, { source: 7 }, {}].map((fields) => hears(empty, fields)),
    ).toEqual([false, true, true, true]);
  });

  test('finds an argument of the call where the document has no such field', () => {
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

  test('is passed over where the event has none, and that is said', () => {
    const { problems, ...matcher } = read('Bash', { on: 'turn.stop', matcher: null });
    expect([matcher, problems]).toMatchObject([
      { match: ANY },
      [{ code: 'matcher-unused', severity: 'warning', remedy: 'Leave the matcher out.' }],
    ]);
    for (const any of ['', '*']) expect(read(any, { on: 'turn.stop', matcher: null }).problems).toEqual([]);
  });
});

describe('a word for some calls only', () => {
  test('keeps to them, and its matcher is tested on the tool besides', () => {
    const query = read('db', { on: 'tool.before', matcher: 'tool_name', tool: SHELL });
    expect([query.match, hears(query, { tool_name: 'db' }), hears(query, { tool_name: 'db2' })]).toEqual([
      SHELL,
      true,
      false,
    ]);
  });
});

test("a word of the agent's own hears itself alone, and what its matcher says", () => {
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
