import { describe, expect, test } from 'vitest';
import type { Event } from '../../../events/event.ts';
import type { EventName } from '../../../events/events.ts';
import { readMatcher } from './match.ts';

const event = (name: EventName, payload: object, native?: string): Event =>
  ({
    name,
    payload,
    ids: { session: 's' },
    scene: { cwd: '/p' },
    round: 1,
    ...(native && { native: { tool: native, args: {} } }),
  }) as unknown as Event;
const call = (tool: string, input: object, native?: string) => event('tool.before', { tool, input }, native);

/** Matches like the selection: first the subject, then `when`. */
function matches(source: string, { name, payload }: Event, subject: string, whole: Event): boolean {
  const { matcher, fault } = readMatcher(source, name);
  if (matcher === undefined) throw new Error(`${source}: ${fault?.message} ${JSON.stringify(payload)}`);
  const { match, when } = matcher;
  const hit =
    match.kind === 'any' || (match.kind === 'names' ? match.names.includes(subject) : match.test(subject));
  return hit && (when?.(whole) ?? true) !== false;
}
const onTool = (source: string, tool: string, input: object) => {
  const whole = call(tool, input);
  return matches(source, whole, tool, whole);
};

describe('match', () => {
  test.each([
    ['*', 'shell', {}, true],
    ['shell', 'shell', {}, true],
    ['shell', 'shells', {}, false],
    ['write|edit', 'edit', {}, true],
    ['write, edit', 'edit', {}, true],
    ['mcp__github__*', 'mcp__github__push', {}, true],
    ['mcp__github__*', 'mcp__gitlab__push', {}, false],
    ['shell|mcp__*', 'shell', {}, true],
    ['/^mcp__.*__(push|merge)$/', 'mcp__github__merge', {}, true],
    ['/^mcp__.*__(push|merge)$/', 'mcp__github__list', {}, false],
    ['write(*.env)', 'write', { path: 'a/.env' }, true],
    ['write(*.env)', 'write', { path: 'a/b.ts' }, false],
    ['write(.env*)', 'write', { path: 'deep/.env.local' }, true],
    ['write(src/**)', 'write', { path: '/p/src/a/b.ts' }, true],
    ['write(src/**)', 'write', { path: 'src/../lib/b.ts' }, false],
    ['write(src/**)', 'write', { path: 'lib/../src/b.ts' }, true],
    ['write(src/**)', 'write', { path: '/q/src/b.ts' }, false],
    ['write(src/**)', 'write', { path: 'src/a\nb' }, true],
    ['write(/etc/**)', 'write', { path: '../etc/passwd' }, true],
    ['write(**/secrets/*)', 'write', { path: '/x/secrets/key' }, true],
    ['write(*.{env,pem})', 'write', { path: 'x.pem' }, true],
    ['write(*.env)', 'write', {}, true],
    ['write(*.env)|read(*.pem)', 'read', { path: 'x.env' }, false],
    ['write(*.env)|read(*.pem)', 'read', { path: 'x.pem' }, true],
    ['write(*.env)|read', 'read', { path: 'x' }, true],
    ['fetch(https://example.com/*)', 'fetch', { url: 'https://example.com/a/b?c' }, true],
    ['fetch(https://example.com/*)', 'fetch', { url: 'https://example.org/' }, false],
    ['mcp__db__query(*DROP*)', 'mcp__db__query', { deep: [{ sql: 'x; DROP TABLE y' }] }, true],
    ['mcp__db__query(*DROP*)', 'mcp__db__query', { sql: 'SELECT 1' }, false],
    ['shell(git push*)', 'shell', { command: 'git push --force' }, true],
    ['shell(git push*)', 'shell', { command: 'git status' }, false],
    ['shell(git push*)', 'shell', { command: 'cd a && git push -f' }, true],
    ['shell(git push*)', 'shell', { command: 'echo "git push"' }, false],
    ['shell(git push*)', 'shell', {}, true],
  ])('match %s on %s %j: %s', (source, tool, input, expected) => {
    expect(onTool(source, tool, input)).toBe(expected);
  });

  test.each<[string, EventName, object, string, boolean]>([
    ['startup|resume', 'session.start', { source: 'resume' }, 'resume', true],
    ['startup', 'session.start', { source: 'resume' }, 'resume', false],
    ['*deploy*', 'prompt.submit', { prompt: 'please deploy it' }, 'please deploy it', true],
    ['/^deploy\\b/', 'prompt.submit', { prompt: 'deployed' }, 'deployed', false],
    ['*.ts', 'file.edited', { file: '/p/src/a.ts' }, '/p/src/a.ts', true],
    ['src/*.{ts,js}', 'file.edited', { file: '/p/src/a.js' }, '/p/src/a.js', true],
    ['src/*.ts', 'file.edited', { file: '/p/src/deep/a.ts' }, '/p/src/deep/a.ts', false],
  ])('match %s on %s %j', (source, name, payload, subject, expected) => {
    const whole = event(name, payload);
    expect(matches(source, whole, subject, whole)).toBe(expected);
  });

  test('a native tool name next to other names still checks the argument', () => {
    const { matcher } = readMatcher('Bash(git push*)|write', 'tool.before');
    expect(matcher?.match).toEqual({ kind: 'names', names: ['Bash', 'write'] });
    expect(matcher?.when?.(call('shell', { command: 'git push' }, 'developer__shell'))).toBe(true);
    expect(matcher?.when?.(call('shell', { command: 'ls' }, 'developer__shell'))).toBe(false);
  });

  test.each<[string, EventName, string]>([
    ['', 'tool.before', 'is empty'],
    ['shell(', 'tool.before', '")" is missing'],
    ['shell)', 'tool.before', '")" is unmatched'],
    ['shell()', 'tool.before', 'the parentheses are empty'],
    ['shell||edit', 'tool.before', 'a word is missing'],
    ['Write.*', 'tool.before', 'looks like a regular expression'],
    ['^shell$', 'tool.before', 'looks like a regular expression'],
    ['git push', 'tool.before', 'contains a space'],
    ['sh\u200bell', 'tool.before', 'holds U+200B, an invisible character'],
    ['shell(rm\u00a0-rf *)', 'tool.before', 'holds U+00A0, an invisible character'],
    ['Bash|mcp__*', 'tool.before', 'cannot be combined with a wildcard'],
    ['/(/', 'tool.before', 'Invalid regular expression'],
    ['/x/i', 'tool.before', 'the flags "i" are not taken'],
    ['x', 'turn.stop', 'has nothing to match'],
    [`/${'x'.repeat(600)}/`, 'tool.before', 'the limit is 512'],
    [`write(${'x/'.repeat(600)})`, 'tool.before', 'too long'],
  ])('match %s on %s is rejected: %s', (source, name, message) => {
    const { matcher, fault } = readMatcher(source, name);
    expect(matcher).toBeUndefined();
    expect(fault).toMatchObject({ severity: 'error', message: expect.stringContaining(message) });
  });

  test('a pattern that cannot run in linear time is accepted with a warning', () => {
    const { matcher, fault } = readMatcher('/^(?!mcp__).*$/', 'tool.before');
    expect(matcher?.match.kind === 'pattern' && matcher.match.test('mcp__x')).toBe(false);
    expect(fault?.severity).toBe('warning');
  });

  test('a glob full of stars does not hang on a long path', () => {
    const { matcher } = readMatcher(`write(${'*a'.repeat(12)}b)`, 'tool.before');
    const started = performance.now();
    expect(matcher?.when?.(call('write', { path: 'a'.repeat(5000) }))).toBe(false);
    expect(matcher?.when?.(call('write', { path: `${'a'.repeat(5000)}b` }))).toBe(true);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('danger:', () => {
  const fit = (source: string, tool: string, input: object) =>
    readMatcher(source, 'tool.before').matcher?.when?.(call(tool, input));

  test('danger: matches the action, ignores similar commands and reports what it cannot decide', () => {
    expect(
      ['rm --recursive --force ~/x', 'rm -rf dist', '$CMD x'].map((command) =>
        fit('danger:delete', 'shell', { command }),
      ),
    ).toEqual([true, false, { opaque: "the command's name is known only at run time: $CMD x" }]);
  });

  test('danger: names can be combined with each other but not with tools, and a misspelt one is reported', () => {
    expect(fit('danger:delete, danger:history', 'shell', { command: 'git push -f' })).toBe(true);
    expect(readMatcher('danger:delete|write', 'tool.before').fault?.message).toMatch(/combined with tools/);
    expect(readMatcher('danger:delte', 'tool.before').fault?.message).toMatch(/did you mean danger:delete/);
  });
});
