import { describe, expect, test } from 'vitest';
import { event } from '../../../testing/event.ts';
import { type GeminiWord, geminiCli } from './index.ts';

const ANY = { kind: 'any' };
/** A `matcher` in settings.json; undefined: the key is not there. */
function read(word: GeminiWord, matcher: unknown) {
  const group = { matcher, hooks: [{ type: 'command', command: 'true' }] };
  const settings = JSON.stringify({ hooks: { [word]: [group] } });
  const { hooks, problems } = geminiCli.config.read(settings, { layer: 'user', file: 'settings.json' });
  const { match, when } = hooks[0]!;
  return { match, ...(when && { when }), problems };
}

describe('a matcher of tools', () => {
  test.each([undefined, '', '*'])('that is %j is any', (matcher) => {
    expect(read('BeforeTool', matcher)).toEqual({ match: ANY, problems: [] });
  });

  test.each([
    ['run_shell_command', ['run_shell_command']],
    ['|write_file||replace|', ['write_file', 'replace']],
    ['no(pattern', ['no(pattern']],
  ])('%j is a list of whole words', (matcher, names) => {
    expect(read('AfterTool', matcher)).toEqual({ match: { kind: 'names', names }, problems: [] });
  });

  test.each(['write_.*', 'a b', 'a-b', '.'])('%j is a pattern, as it was written', (matcher) => {
    expect(read('BeforeTool', matcher)).toEqual({
      match: { kind: 'pattern', source: matcher, test: expect.any(Function) },
      problems: [],
    });
  });

  test('that is a pattern is found anywhere in the name', () => {
    const { match } = read('BeforeTool', 'te_.');
    expect(match.kind === 'pattern' && ['write_file', 'write_'].map(match.test)).toEqual([true, false]);
  });

  test('that is no text is any, and said', () => {
    const { match, problems } = read('BeforeTool', ['a']);
    expect([match, problems.map(({ code }) => code)]).toEqual([ANY, ['wrong-type']]);
  });
});

describe('a matcher of another event', () => {
  test('is the exact word of the field that Gemini would send, never a pattern', () => {
    const { match, when } = read('SessionStart', 'startup');
    const starts = (['startup', 'resume', 'startup2'] as const).map((source) =>
      when?.(event('session.start', { source: source as 'startup' })),
    );
    expect([match, starts]).toEqual([ANY, [true, false, false]]);
    expect(read('SessionStart', '.*').when?.(event('session.start', { source: 'startup' }))).toBe(false);
  });

  test.each([undefined, '', '*'])('that is %j leaves the event alone', (matcher) => {
    expect(read('SessionStart', matcher)).toEqual({ match: ANY, problems: [] });
  });

  test('is passed over where the event has nothing to match, and that is said', () => {
    expect(read('BeforeAgent', 'startup')).toMatchObject({
      match: ANY,
      problems: [{ code: 'matcher-unused', remedy: 'Leave the matcher out.' }],
    });
  });

  test("of a word of Gemini's own hears that word alone", () => {
    expect(read('BeforeModel', undefined)).toEqual({
      match: { kind: 'names', names: ['BeforeModel'] },
      problems: [],
    });
  });
});
