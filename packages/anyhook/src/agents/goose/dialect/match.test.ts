import { describe, expect, test } from 'vitest';
import { makePlans } from '../../../engine/plan.ts';
import type { Event } from '../../../events/event.ts';
import { makeLexicon } from '../../../events/lexicon.ts';
import { event } from '../../../testing/index.ts';
import { GLOBAL, hook, PLUGIN } from './fixtures/seats.ts';
import { goose } from './index.ts';
import type { GooseWord } from './names.ts';
import type { GoosePlace } from './places.ts';

const lexicon = makeLexicon([goose.tools]);
/** Whether a hook with this matcher runs. */
function fits(
  word: GooseWord,
  matcher: string | undefined,
  about: Event,
  place: GoosePlace = GLOBAL,
): boolean {
  const one = hook(word, matcher, { place });
  const plans = makePlans({
    dialects: [goose],
    hooks: [one],
    run: () => ({ kind: 'broken', why: { kind: 'aborted' } }),
    services: {},
    spellings: lexicon.spellings,
  });
  return plans.of(about)!.groups.length > 0 && (one.when?.(about) ?? true) !== false;
}
function call(tool: string, input: object = {}): Event {
  const said = lexicon.read(tool, input as Record<string, unknown>);
  return event('tool.before', { tool: said.tool, input: { ...said.input } }, {
    native: said.native,
  } as never);
}
const command = (text: unknown, tool = 'developer__shell') => call(tool, { command: text });

describe('a tool matcher', () => {
  const SHELL = ['developer__shell', 'shell', 'Bash'];
  const rows: [string | undefined, string, boolean][] = [
    [undefined, 'anything', true],
    ['', 'anything', true],
    ['*', 'anything', true],
    ...SHELL.flatMap((matcher) => SHELL.map((tool) => [matcher, tool, true] as [string, string, boolean])),
    ['developer__shell', 'developer__shell_extra', false],
    ['developer__shell', 'Developer__shell', false],
    ['Bash', 'memory__recall', false],
    ['memory__recall', 'memory__recall', true],
    ['memory__recall', 'memory__recall_all', false],
    ['shell|memory__recall', 'memory__recall', true],
    ['Bash|write', 'developer__shell', true],
    ['Edit', 'edit', false], // no alias beyond Bash
    ['mcp__.*', 'mcp__github__push', true],
    ['mcp__.*', 'shell', false],
    ['developer__.*', 'shell', true],
    ['.*', 'x', true],
    ['(dev|mem).*call', 'memory__recall', true],
    ['recall.', 'memory__recall!', false], // over the whole name
  ];
  test.each(rows)('the matcher %j and the tool %s: %s', (matcher, tool, expected) => {
    expect(fits('PreToolUse', matcher, call(tool))).toBe(expected);
  });
  test('a tool matcher does not match without a tool name', () => {
    expect(['Bash', '.*', 'x.*'].map((matcher) => fits('PreToolUse', matcher, call('')))).toEqual([
      false,
      false,
      false,
    ]);
    expect(fits('PreToolUse', undefined, call(''))).toBe(true);
  });
  test('a tool matcher works on every event with a tool', () => {
    const after = { tool: 'shell', input: {}, content: [] };
    expect(fits('PostToolUse', 'Bash', event('tool.after', after))).toBe(true);
    expect(fits('PostToolUse', 'edit', event('tool.after', after))).toBe(false);
    expect(
      fits('PostToolUseFailure', 'Bash', event('tool.failed', { tool: 'shell', input: {}, error: '' })),
    ).toBe(true);
    expect(fits('PermissionRequest', 'edit', event('tool.permission', { tool: 'shell', input: {} }))).toBe(
      false,
    );
  });
  test('a tool matcher in a plugin is a regular expression anywhere in the name', () => {
    const inPlugin = (matcher: string, tool: string) => fits('PreToolUse', matcher, call(tool), PLUGIN);
    expect(inPlugin('shell', 'developer__shell')).toBe(true);
    expect(inPlugin('^developer__shell$', 'shell')).toBe(true); // under every spelling
    expect(inPlugin('call', 'memory__recall')).toBe(true);
    expect(inPlugin('^call', 'memory__recall')).toBe(false);
    expect(inPlugin('Bash(git *)', 'memory__recall')).toBe(false);
    expect(fits('PreToolUse', 'Bash(git *)', command('git push'), PLUGIN)).toBe(true);
  });
});

describe('Bash(<glob>)', () => {
  const rows: [string, unknown, boolean][] = [
    ['Bash(ls*)', 'ls -la', true],
    ['Bash(rm*)', 'ls -la', false],
    ['Bash(git *)', 'git push', true],
    ['Bash(git *)', 'gitk', false],
    ['Bash(git *)', 'ls && git push', true],
    ['Bash(git *)', 'echo a | git apply', true],
    ['Bash(git *)', 'echo $(git log)', true],
    ['Bash(git *)', 'bash -c "git push"', true],
    ['Bash(git *)', 'sudo -n env A=b git push', true],
    ['Bash(git *)', 'g"i"t push', true],
    ['Bash(git *)', '$CMD push', true], // known only at run time
    ['Bash(git *)', 'eval "$x"', true],
    ['Bash(git *)', 'echo "unclosed', true], // does not parse
    ['Bash(git *)', 'echo git push', false],
    ['Bash(cat ?)', 'cat a', true],
    ['Bash(cat [!a])', 'cat a', false],
    ['Bash(*/bin/*)', '/usr/bin/x', true], // a star takes slashes too
    ['Bash(GIT *)', 'git push', false],
    ['Bash(git *)', undefined, false],
    ['Bash(*)', undefined, true],
    ['Bash(git *)', ['git', 'push'], true], // cannot be judged
    ['shell(git *)', 'git push', true],
    ['developer__shell(git *)', 'git push', true],
  ];
  test.each(rows)('the matcher %s and the command %j: %s', (matcher, text, expected) => {
    expect(fits('PreToolUse', matcher, command(text))).toBe(expected);
  });
  test('Bash(<glob>) only matches the shell, under each of its names', () => {
    expect(fits('PreToolUse', 'Bash(git *)', command('git push', 'shell'))).toBe(true);
    expect(fits('PreToolUse', 'Bash(git *)', command('git push', 'SlashCommand'))).toBe(false);
  });
  test('control: a glob on the whole text would miss chained commands', () => {
    expect(/^git .*$/.test('ls && git push')).toBe(false);
  });
});

describe('other matchers', () => {
  const compact = (trigger: string) => event('compaction.before', { trigger });
  test('manual and auto distinguish compactions, also with triggers of other hosts', () => {
    const rows = ['manual', 'auto', 'Manual', 'm.*'].map((matcher) => [
      fits('PreCompact', matcher, compact('manual')),
      fits('PreCompact', matcher, compact('auto')),
      fits('PreCompact', matcher, compact('threshold')),
    ]);
    expect(rows).toEqual([
      [true, false, false],
      [false, true, true],
      [false, false, false],
      [false, false, false],
    ]);
    expect(fits('PostCompact', 'auto', event('compaction.after', {}))).toBe(true);
  });
  test('a notification matcher is a part of its kind', () => {
    const about = event('notification.sent', { kind: 'idle_prompt', message: '' });
    expect(
      ['idle', 'idle_prompt', 'prompt$', 'permission'].map((m) => fits('Notification', m, about)),
    ).toEqual([true, true, true, false]);
  });
  test('a hook runs on events that have nothing to match', () => {
    expect(fits('SessionStart', 'startup', event('session.start', {}))).toBe(true);
    expect(fits('Stop', 'x', event('turn.stop', { active: false }))).toBe(true);
    expect(fits('UserPromptSubmit', 'secret', event('prompt.submit', { prompt: 'hello' }))).toBe(true);
  });
  test('a prompt matcher in a plugin is tested on the text', () => {
    const about = event('prompt.submit', { prompt: 'tell me the secret' });
    expect(['secret', '^secret'].map((m) => fits('UserPromptSubmit', m, about, PLUGIN))).toEqual([
      true,
      false,
    ]);
  });
  test('matchers on events of current Goose test the command or the path', () => {
    expect(fits('BeforeShellExecution', undefined, command('ls'))).toBe(true);
    expect(fits('BeforeShellExecution', undefined, call('edit', { path: 'a' }))).toBe(false);
    expect(fits('BeforeShellExecution', '^git', command('git push'), PLUGIN)).toBe(true);
    expect(fits('BeforeShellExecution', '^git', command('ls'), PLUGIN)).toBe(false);
    expect(fits('AfterFileEdit', '\\.ts$', event('file.edited', { file: '/a/b.ts' }), PLUGIN)).toBe(true);
    expect(fits('AfterFileEdit', '\\.ts$', event('file.edited', { file: '/a/b.js' }), PLUGIN)).toBe(false);
    expect(fits('BeforeReadFile', undefined, command('ls'))).toBe(false);
  });
  test('native events are distinguished by their name', () => {
    const idle = event('other', { word: 'TeammateIdle', body: {} });
    expect([fits('TeammateIdle', undefined, idle), fits('TaskCompleted', undefined, idle)]).toEqual([
      true,
      false,
    ]);
  });
});
