/** G2, T41: every matcher of every dialect and event is either tested or reported as never matching. */

import { expect, test } from 'vitest';
import { hooksFromCallbacks } from '../../src/agents/claude-agent-sdk/dialect/definition.ts';
import { DIALECTS, findDialect } from '../../src/dialects.ts';
import { EVENT_NAMES } from '../../src/events/events.ts';
import type { Hook } from '../../src/events/hook.ts';
import type { Problem } from '../../src/events/problems.ts';
import { control, result } from './results.ts';

interface Read {
  readonly hooks: readonly Hook[];
  readonly problems: readonly Problem[];
}
type Reader = (word: string, matcher: string | undefined) => Read;

const by =
  (dialect: string, file: string, textOf: (word: string, matcher: object) => string): Reader =>
  (word, matcher) =>
    findDialect(dialect)!.config!.read(textOf(word, matcher === undefined ? {} : { matcher }), {
      layer: 'user',
      file,
    });
const grouped = (word: string, matcher: object) =>
  JSON.stringify({ hooks: { [word]: [{ ...matcher, hooks: [{ type: 'command', command: 'true' }] }] } });
const listed = (word: string, matcher: object) =>
  JSON.stringify({ version: 1, hooks: { [word]: [{ ...matcher, command: 'true' }] } });

/** OpenCode and oh-my-pi have no matchers, only file patterns and code. */
const READERS: Readonly<Record<string, Reader>> = {
  anyhook: by('anyhook', '/h/.config/anyhook/hooks.json', (word, { matcher }: { matcher?: string }) =>
    JSON.stringify({
      hooks: { [word]: [{ ...(matcher !== undefined && { match: matcher }), run: 'true' }] },
    }),
  ),
  'claude-agent-sdk': (word, matcher) => {
    const hooks = [() => ({})];
    return hooksFromCallbacks({ [word]: [{ hooks, ...(matcher !== undefined && { matcher }) }] });
  },
  'claude-code': by('claude-code', '/h/.claude/settings.json', grouped),
  codex: by('codex', '/h/.codex/hooks.json', grouped),
  'copilot-cli': by('copilot-cli', '/h/.copilot/hooks/a.json', listed),
  cursor: by('cursor', '/h/.cursor/hooks.json', listed),
  'gemini-cli': by('gemini-cli', '/h/.gemini/settings.json', grouped),
  goose: by('goose', '/h/.config/goose/hooks.json', grouped),
  'grok-build': by('grok-build', '/h/.grok/hooks/a.json', grouped),
  'kimi-code': by('kimi-code', '/h/.kimi-code/config.toml', (word, { matcher }: { matcher?: string }) =>
    [
      '[[hooks]]',
      `event = "${word}"`,
      ...(matcher === undefined ? [] : [`matcher = "${matcher}"`]),
      'command = "true"',
    ].join('\n'),
  ),
  opta: by('opta', '/h/.opta/config.json', (event, matcher) =>
    JSON.stringify({ hooks: [{ event, ...matcher, command: 'true' }] }),
  ),
  'qwen-code': by('qwen-code', '/h/.qwen/settings.json', grouped),
};

const tested = ({ hooks }: Read): string =>
  JSON.stringify(hooks.map(({ match, when, run }) => [match, `${when}`, run.kind]));
const isSaid = ({ problems }: Read): boolean =>
  problems.some(({ remedy = '', code }) => remedy !== '' && code !== 'unknown-event');

/** Values whose matcher is neither tested nor reported. */
function silent(read: Reader, words: readonly string[]): string[] {
  return words.filter((word) => {
    const [bare, matched] = [read(word, undefined), read(word, 'some_name')];
    expect([bare.problems, bare.hooks.length], word).toEqual([[], 1]);
    return tested(bare) === tested(matched) && !isSaid(matched);
  });
}
const wordsOf = (name: string): string[] =>
  EVENT_NAMES.flatMap((event) => findDialect(name)!.words[event] ?? []);

let cells = 0;
test.each(Object.keys(READERS))('%s: no matcher is passed over in silence', (name) => {
  const words = wordsOf(name);
  cells += words.length;
  expect(silent(READERS[name]!, words)).toEqual([]);
});

test('control: a reader that does not report its problems is detected', () => {
  const words = wordsOf('codex');
  const found = silent((word, matcher) => ({ ...READERS['codex']!(word, matcher), problems: [] }), words);
  control(
    'G2',
    'matchers of Codex, read without a word',
    `${found.length} of ${words.length} events pass one over`,
  );
  expect(found).toContain('UserPromptSubmit');
});

test('every dialect with matchers was tried', () => {
  const others = DIALECTS.map(({ name }) => name).filter((name) => READERS[name] === undefined);
  expect(others.toSorted()).toEqual(['oh-my-pi', 'opencode']);
  result(
    'G2',
    `a matcher on each event of ${Object.keys(READERS).length} dialects: ${cells} cells`,
    '0 passed over in silence',
  );
});
