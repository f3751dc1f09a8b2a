import { describe, expect, test } from 'vitest';
import { makeLexicon } from '../../canon/lexicon.ts';
import { makePlans } from '../../engine/plan.ts';
import { makeEventOf } from '../../hosts/library/event-of.ts';
import type { Event } from '../../canon/event.ts';
import { event } from '../../testing/index.ts';
import { type ClaudeWord, claudeEvent } from './events.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { claudeCode } from './index.ts';
import { readMatcher } from './matcher.ts';

const lexicon = makeLexicon([claudeCode.tools]);
const canonical = makeEventOf({ cwd: '/project', lexicon });

/** Does a hook with this matcher run? By the engine's own selection, and the part that looks deeper. */
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
    ['Task', 'Agent', true], // what it was called before
    ['Agent', 'Task', true],
  ];
  test.each(TOOLS)('%j and the tool %j: %j', (matcher, name, fits) => {
    expect(runs('PreToolUse', matcher, tool(name))).toBe(fits);
  });

  test('fits the tool whatever the host calls it', () => {
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
  ] as const)('%s with %j reads its own field', (word, matcher, about, fits) => {
    expect(runs(word, matcher, about)).toBe(fits);
  });

  test('of a word of its own never hears another word', () => {
    expect(runs('Setup', undefined, own('CwdChanged', {}))).toBe(false);
    expect(runs('CwdChanged', 'ignored', own('CwdChanged', {}))).toBe(true);
  });

  test('on FileChanged and StopFailure knows fewer exact words', () => {
    expect(runs('StopFailure', 'a,b', event('session.error', { message: '', kind: 'a' }))).toBe(false);
    expect(runs('Notification', 'a,b', event('notification.sent', { message: '', kind: 'a' }))).toBe(true);
    expect(claudeEvent('StopFailure').narrow).toBe(true);
  });

  test('on an event without a subject is passed over, and that is said', () => {
    expect(readMatcher('Bash', 'Stop')).toMatchObject({ matcher: { match: { kind: 'any' } }, doubt: {} });
    expect(readMatcher('*', 'Stop').doubt).toBeUndefined();
  });

  test('that Claude Code reads in another way than it is meant is said', () => {
    expect(readMatcher('mcp__memory', 'PreToolUse').doubt?.remedy).toBe('Write "mcp__memory__.*".');
    expect(readMatcher('Bash(git *)', 'PreToolUse').doubt?.remedy).toMatch(/"if"/);
    expect(readMatcher('mcp__a__b|Bash', 'PreToolUse').doubt).toBeUndefined();
  });

  test('that is no pattern is a SyntaxError; one that would hang does not', () => {
    expect(() => readMatcher('Bash(', 'PreToolUse')).toThrow(SyntaxError);
    const { match } = readMatcher('^(a+)+$', 'PreToolUse').matcher;
    expect(match.kind === 'pattern' && match.test(`${'a'.repeat(5000)}!`)).toBe(false);
  });
});
