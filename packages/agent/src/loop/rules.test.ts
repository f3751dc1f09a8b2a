import { describe, expect, test } from 'vitest';
import { judge, readRule, ruleFor } from './rules.ts';

const permission = { mode: 'ask' as const, allow: [] as string[], ask: [] as string[], deny: [] as string[] };
const shell = (command: string) => ({ tool: 'shell', input: { command }, cwd: '/p' });
const write = (path: string) => ({ tool: 'write', input: { path }, cwd: '/p' });

describe('permission rules', () => {
  test.each([
    ['git status', { allow: ['shell(git status *)'] }, 'allow'],
    ['git status --short', { allow: ['shell(git status *)'] }, 'allow'],
    // An approval must cover every command of the line.
    ['git status && rm -rf /', { allow: ['shell(git status *)'] }, 'ask'],
    ['git status $(rm -rf /)', { allow: ['shell(git status *)'] }, 'ask'],
    ['git status && npm test', { allow: ['shell(git status *)', 'shell(npm test)'] }, 'allow'],
    // One matching command is enough for a refusal.
    ['cd / && rm -rf x', { allow: ['shell'], deny: ['shell(rm *)'] }, 'deny'],
    ['bash -c "rm -rf x"', { allow: ['shell'], deny: ['shell(rm *)'] }, 'deny'],
    ['npm publish', { allow: ['shell'], ask: ['shell(npm publish *)'] }, 'ask'],
    ['ls', { mode: 'allow' as const }, 'allow'],
    ['ls', { mode: 'deny' as const }, 'deny'],
  ])('the call %s under the rules %j is judged as %s', (command, said, mode) => {
    expect(judge({ ...permission, ...said }, shell(command)).mode).toBe(mode);
  });

  test.each([
    ['src/a.ts', 'write(src/**)', 'allow'],
    ['src/../../etc/passwd', 'write(src/**)', 'ask'],
    ['/etc/passwd', 'write(**)', 'ask'],
    ['/etc/passwd', 'write(/etc/**)', 'allow'],
    ['deep/in/.env', 'write(.env)', 'allow'],
  ])('writing to %s under the rule %s is judged as %s', (path, rule, mode) => {
    expect(judge({ ...permission, allow: [rule] }, write(path)).mode).toBe(mode);
  });

  test('a read-only tool needs no consent unless a rule asks for it', () => {
    const read = { tool: 'read', input: { path: '.env' }, cwd: '/p' };
    expect(judge({ ...permission, mode: 'deny' }, read).mode).toBe('allow');
    expect(judge({ ...permission, deny: ['read(.env)'] }, read)).toEqual({
      mode: 'deny',
      rule: 'read(.env)',
    });
  });

  test('a rule names a tool of a server in full or with a star', () => {
    const call = { tool: 'mcp__github__delete', input: {}, cwd: '/p' };
    expect(judge({ ...permission, allow: ['mcp__github__*'] }, call).mode).toBe('allow');
    expect(judge({ ...permission, allow: ['mcp__gitlab__*'] }, call).mode).toBe('ask');
  });

  test('the rule that `always` adds matches exactly that command', () => {
    const rule = ruleFor('shell', { command: 'rm *.log' });
    expect(judge({ ...permission, allow: [rule] }, shell('rm *.log')).mode).toBe('allow');
    expect(judge({ ...permission, allow: [rule] }, shell('rm x.log')).mode).toBe('ask');
  });

  test('an invalid rule is reported', () => {
    expect(() => readRule('shell(')).toThrow('is not a valid rule: write a tool, or tool(pattern)');
  });
});
