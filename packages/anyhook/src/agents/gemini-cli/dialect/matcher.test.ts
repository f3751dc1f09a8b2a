import { describe, expect, test } from 'vitest';
import { event } from '../../../testing/event.ts';
import { type GeminiWord, geminiCli } from './index.ts';

const ANY = { kind: 'any' };
/** Reads a `matcher` from settings.json; undefined: the key is missing. */
function read(word: GeminiWord, matcher: unknown) {
  const group = { matcher, hooks: [{ type: 'command', command: 'true' }] };
  const settings = JSON.stringify({ hooks: { [word]: [group] } });
  const { hooks, problems } = geminiCli.config.read(settings, { layer: 'user', file: 'settings.json' });
  const { match, when } = hooks[0]!;
  return { match, ...(when && { when }), problems };
}

describe('a matcher of tools', () => {
  test.each([undefined, '', '*'])('a tool matcher %j matches everything', (matcher) => {
    expect(read('BeforeTool', matcher)).toEqual({ match: ANY, problems: [] });
  });

  test.each([
    ['run_shell_command', ['run_shell_command']],
    ['|write_file||replace|', ['write_file', 'replace']],
    ['no(pattern', ['no(pattern']],
  ])('a tool matcher %j is a list of whole names', (matcher, names) => {
    expect(read('AfterTool', matcher)).toEqual({ match: { kind: 'names', names }, problems: [] });
  });

  test.each(['write_.*', 'a b', 'a-b', '.'])(
    'a tool matcher %j is used as a pattern unchanged',
    (matcher) => {
      expect(read('BeforeTool', matcher)).toEqual({
        match: { kind: 'pattern', source: matcher, test: expect.any(Function) },
        problems: [],
      });
    },
  );

  test('a tool matcher pattern matches anywhere in the name', () => {
    const { match } = read('BeforeTool', 'te_.');
    expect(match.kind === 'pattern' && ['write_file', 'write_'].map(match.test)).toEqual([true, false]);
  });

  test('a non-string matcher matches everything and is reported', () => {
    const { match, problems } = read('BeforeTool', ['a']);
    expect([match, problems.map(({ code }) => code)]).toEqual([ANY, ['wrong-type']]);
  });
});

describe('a matcher of another event', () => {
  test('a matcher of another event is the exact value of the native field, never a pattern', () => {
    const { match, when } = read('SessionStart', 'startup');
    const starts = (['startup', 'resume', 'startup2'] as const).map((source) =>
      when?.(event('session.start', { source: source as 'startup' })),
    );
    expect([match, starts]).toEqual([ANY, [true, false, false]]);
    expect(read('SessionStart', '.*').when?.(event('session.start', { source: 'startup' }))).toBe(false);
  });

  test.each([undefined, '', '*'])('a matcher %j of another event matches everything', (matcher) => {
    expect(read('SessionStart', matcher)).toEqual({ match: ANY, problems: [] });
  });

  test('a matcher on an event without a field is ignored and reported', () => {
    expect(read('BeforeAgent', 'startup')).toMatchObject({
      match: ANY,
      problems: [{ code: 'matcher-unused', remedy: 'Leave the matcher out.' }],
    });
  });

  test('a hook for an event that only Gemini has matches that event only', () => {
    expect(read('BeforeModel', undefined)).toEqual({
      match: { kind: 'names', names: ['BeforeModel'] },
      problems: [],
    });
  });
});
