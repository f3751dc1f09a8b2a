import { describe, expect, test } from 'vitest';
import { makePlans } from '../../../engine/plan.ts';
import type { Event } from '../../../events/event.ts';
import { makeLexicon } from '../../../events/lexicon.ts';
import { makeEventOf } from '../../../library/event-of.ts';
import { event } from '../../../testing/index.ts';
import { type ClaudeWord, claudeEvent } from './events.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { claudeCode } from './index.ts';
import { readMatcher } from './matcher.ts';

const lexicon = makeLexicon([claudeCode.tools]);
const canonical = makeEventOf({ cwd: '/project', lexicon });

/** Whether a hook with this matcher runs, by the engine's selection and by `when`. */
function runs(word: ClaudeWord, matcher: string | undefined, about: Event): boolean {
  const hook = hookFor(word, undefined, matcher);
  const plans = makePlans({
    dialects: [claudeCode],
    hooks: [hook],
    run: () => ({ kind: 'broken', why: { kind: 'failed' } }),
    services: {},
    spellings: lexicon.spellings,
  });
  const chosen = (plans.of(about)?.groups ?? []).flatMap(({ hooks }) => hooks);
  return chosen.length > 0 && (hook.when?.(about) ?? true) !== false;
}
const tool = (name: string) => canonical({ name: 'tool.before', payload: { tool: name, input: {} } });
const own = (word: ClaudeWord, body: object) => event('other', { word, body });

describe('a matcher', () => {
  const TOOLS: readonly (readonly [matcher: string | undefined, tool: string, fits: boolean])[] = [
    [undefined, 'Bash', true],
    ['', 'Bash', true],
    ['*', 'Bash', true],
    ['Bash', 'Bash', true],
    ['Bash', 'BashOutput', false],
    ['bash', 'Bash', false],
    ['Edit|Write', 'Write', true],
    ['Edit, Write', 'Write', true],
    ['Edit | Write', 'Edit', true],
    ['Edit|Write', 'NotebookEdit', false],
    ['Edit|Write|', '', false],
    ['mcp__memory__.*', 'mcp__memory__read', true],
    ['mcp__memory', 'mcp__memory__read', false],
    ['mcp__brave-search__web', 'mcp__brave-search__web', true],
    ['mcp__brave-search__web', 'mcp__brave-search__web2', false],
    ['Notebook.*', 'NotebookEdit', true],
    ['ook.', 'NotebookEdit', true], // unanchored
    ['^Bash$', 'Bash', true],
    ['^(?!Bash$).*', 'Bash', false],
    ['^(?!Bash$).*', 'Read', true],
    ['.*', 'anything', true],
    ['Task', 'Agent', true], // its former name
    ['Agent', 'Task', true],
  ];
  test.each(TOOLS)('a matcher %j and the tool %j: %j', (matcher, name, fits) => {
    expect(runs('PreToolUse', matcher, tool(name))).toBe(fits);
  });

  test('a matcher fits the tool whatever the host calls it', () => {
    const shell = event(
      'tool.before',
      { tool: 'shell', input: {} },
      { native: { tool: 'run_it', args: {} } },
    );
    expect(['Bash', '^Bash$', 'run_it', 'Read'].map((matcher) => runs('PreToolUse', matcher, shell))).toEqual(
      [true, true, true, false],
    );
  });

  test.each([
    ['SessionStart', 'startup|resume', event('session.start', { source: 'resume' }), true],
    ['SessionStart', 'startup', event('session.start', { source: 'compact' }), false],
    ['SessionStart', 'startup', event('session.start', {}), true],
    ['SessionEnd', 'other', event('session.end', {}), true],
    ['Notification', 'idle_prompt', event('notification.sent', { kind: 'idle_prompt', message: '' }), true],
    [
      'Notification',
      'permission_prompt',
      event('notification.sent', { kind: 'idle_prompt', message: '' }),
      false,
    ],
    ['Notification', 'a/b.', event('notification.sent', { kind: 'a/b!', message: '' }), true],
    ['SubagentStop', 'Explore', event('subagent.stop', { type: 'Explore' }), true],
    ['SubagentStart', 'plugin:explore', event('subagent.start', { type: 'my-plugin:explorer' }), true],
    ['UserPromptExpansion', 'review', event('command.before', { command: 'review' }), true],
    ['PreCompact', 'manual', event('compaction.before', { trigger: 'auto' }), false],
    [
      'StopFailure',
      'rate_limit|overloaded',
      event('session.error', { message: '', kind: 'overloaded' }),
      true,
    ],
    ['FileChanged', 'package.json|.env', event('file.edited', { file: '/project/.env' }), true],
    ['FileChanged', '.env', event('file.edited', { file: '/project/src/a.ts' }), false],
    ['Setup', 'init', own('Setup', { trigger: 'init' }), true],
    ['Setup', 'init', own('Setup', { trigger: 'maintenance' }), false],
    ['ConfigChange', 'project_settings', own('ConfigChange', { source: 'user_settings' }), false],
    ['PreModelSwitch', 'opus', own('PreModelSwitch', { to_model: 'claude-opus-5' }), false],
    ['PreModelSwitch', '.*opus.*', own('PreModelSwitch', { to_model: 'claude-opus-5' }), true],
    ['Elicitation', 'github', own('Elicitation', { mcp_server_name: 'github' }), true],
    ['InstructionsLoaded', 'include', own('InstructionsLoaded', { load_reason: 'session_start' }), false],
    ['DirectoryAdded', 'slash_command', own('DirectoryAdded', { source: 'slash_command' }), true],
  ] as const)('%s with the matcher %j reads its own field', (word, matcher, about, fits) => {
    expect(runs(word, matcher, about)).toBe(fits);
  });

  test('a hook for a native event never runs for another native event', () => {
    expect(runs('Setup', undefined, own('CwdChanged', {}))).toBe(false);
    expect(runs('CwdChanged', 'ignored', own('CwdChanged', {}))).toBe(true);
  });

  test('on FileChanged and StopFailure a matcher allows fewer characters in exact names', () => {
    expect(runs('StopFailure', 'a,b', event('session.error', { message: '', kind: 'a' }))).toBe(false);
    expect(runs('Notification', 'a,b', event('notification.sent', { message: '', kind: 'a' }))).toBe(true);
    expect(claudeEvent('StopFailure').narrow).toBe(true);
  });

  test('on an event without a subject a matcher is ignored and reported', () => {
    const any = { match: { kind: 'any' } };
    expect(readMatcher('Bash', 'Stop')).toEqual({
      matcher: any,
      doubt: {
        message: 'Stop has nothing to match, so the matcher is ignored',
        remedy: 'Leave the matcher out.',
      },
    });
    expect([undefined, '', '*'].map((source) => readMatcher(source, 'Stop'))).toEqual([
      { matcher: any },
      { matcher: any },
      { matcher: any },
    ]);
  });

  test('a matcher is empty, a list of whole names, or an unchanged pattern', () => {
    const names = (...all: string[]) => ({ matcher: { match: { kind: 'names', names: all } } });
    const ofTool = (source: string | undefined) => readMatcher(source, 'PreToolUse');
    expect([undefined, '', '*'].map(ofTool)).toEqual(Array(3).fill({ matcher: { match: { kind: 'any' } } }));
    expect([' Edit, Write |Bash||', 'a-b', 'mcp__a__b|Bash'].map(ofTool)).toEqual([
      names('Edit', 'Write', 'Bash'),
      names('a-b'),
      names('mcp__a__b', 'Bash'),
    ]);
    expect(['Edit.', '.Edit', 'Bash(git *) x', 'x Bash(git *)'].map(ofTool)).toEqual(
      ['Edit.', '.Edit', 'Bash(git *) x', 'x Bash(git *)'].map((source) => ({
        matcher: { match: { kind: 'pattern', source, test: expect.any(Function) } },
      })),
    );
  });

  test('on FileChanged a matcher is tested on file names, and only names separated by | are exact', () => {
    const hears = (source: string, file: string) =>
      readMatcher(source, 'FileChanged').matcher.when?.(event('file.edited', { file }));
    expect([
      hears('Makefile|LICENSE', '/project/LICENSE'),
      hears('Makefile|LICENSE', '/project/LICENSES'),
      hears('a-b', '/project/xa-by'),
      hears('a b', '/project/xa by'),
      hears('.env', '/project/.env.local'),
    ]).toEqual([true, false, true, true, true]);
  });

  test('an empty matcher of another field matches everything without a warning', () => {
    expect([
      readMatcher('*', 'SessionStart'),
      readMatcher(undefined, 'Setup'),
      readMatcher('mcp__memory', 'SessionStart'),
    ]).toEqual([
      { matcher: { match: { kind: 'any' } } },
      { matcher: { match: { kind: 'names', names: ['Setup'] } } },
      { matcher: { match: { kind: 'any' }, when: expect.any(Function) } },
    ]);
  });

  test('a matcher treats a non-string field as an empty string', () => {
    const { when } = readMatcher('^$', 'Setup').matcher;
    expect([{ trigger: 7 }, {}, { trigger: 'init' }].map((body) => when?.(own('Setup', body)))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('a matcher that Claude Code reads differently than intended still counts and is reported', () => {
    expect(readMatcher('Bash|mcp__memory', 'PreToolUse')).toEqual({
      matcher: { match: { kind: 'names', names: ['Bash', 'mcp__memory'] } },
      doubt: {
        message: '"mcp__memory" is compared as a whole name, so it matches no tool of that server',
        remedy: 'Write "mcp__memory__.*".',
      },
    });
    const rule = {
      message: '"Bash(git *)" is read as a regular expression and matches no tool',
      remedy: 'Put a permission rule in "if", next to "command".',
    };
    expect(readMatcher('Bash(git *)', 'PreToolUse').doubt).toEqual(rule);
    expect(readMatcher('Bash(git *)', 'SessionStart').doubt).toEqual(rule);
    expect(
      ['mcp__a__b', 'mcp__', 'my_mcp__a', 'B()x', 'x B()'].map(
        (source) => readMatcher(source, 'PreToolUse').doubt,
      ),
    ).toEqual(Array(5).fill(undefined));
  });

  test('an invalid pattern throws a SyntaxError, and a slow one does not hang', () => {
    expect(() => readMatcher('Bash(', 'PreToolUse')).toThrow(SyntaxError);
    const { match } = readMatcher('^(a+)+$', 'PreToolUse').matcher;
    expect(match.kind === 'pattern' && match.test(`${'a'.repeat(5000)}!`)).toBe(false);
  });
});
