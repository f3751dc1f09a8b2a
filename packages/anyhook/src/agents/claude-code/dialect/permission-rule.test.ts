import { describe, expect, test } from 'vitest';
import type { Fields } from '../../../events/effects.ts';
import { makeLexicon } from '../../../events/lexicon.ts';
import { makeEventOf } from '../../../library/event-of.ts';
import { claudeCode } from './index.ts';
import { readRule } from './permission-rule.ts';

const canonical = makeEventOf({ cwd: '/project', lexicon: makeLexicon([claudeCode.tools]) });
const fits = (rule: string, tool: string, input: Fields) =>
  readRule(rule)(canonical({ name: 'tool.before', payload: { tool, input } }));
const bash = (rule: string, command: string) => fits(rule, 'Bash', { command });

describe('a rule for Bash', () => {
  test.each([
    ['Bash', 'anything', true],
    ['Bash(*)', 'anything', true],
    ['Bash(git *)', 'git push', true],
    ['Bash(git *)', 'git', true],
    ['Bash(git *)', 'gitk', false],
    ['Bash(git:*)', 'git status', true],
    ['Bash(npm run test:*)', 'npm run test', true],
    ['Bash(npm run test:*)', 'npm run test -- -u', true],
    ['Bash(npm run test:*)', 'npm run build', false],
    ['Bash(npm run build)', 'npm run build', true],
    ['Bash(npm run build)', 'npm run build --watch', false],
    ['Bash(git *)', 'ls -l', false],
    ['Bash(git *)', 'ls && git push', true],
    ['Bash(git *)', 'ls; git push', true],
    ['Bash(git *)', 'ls | git hash-object --stdin', true],
    ['Bash(git *)', 'FOO=1 git push', true],
    ['Bash(git *)', 'echo $(git push)', true],
    ['Bash(git *)', 'echo `git push`', true],
    ['Bash(git *)', 'bash -c "git push"', true],
    ['Bash(git *)', 'sudo git push', true],
    ['Bash(git push *)', 'echo $HOME', true], // longer than a command name, so an expansion matches
    ['Bash(git *)', 'echo $HOME', false],
    ['Bash(git *)', 'echo "unclosed', true], // does not parse
    ['Bash(git *)', '$X push', true], // known only at run time
    ['Bash(rm -rf *)', 'ls\nrm -rf /', true],
  ])('the rule %s and the command %j: %j', (rule, command, expected) =>
    expect(bash(rule, command)).toBe(expected),
  );

  test('a Bash rule is decided on a parse, because chained commands do not start the text', () => {
    const naive = (command: string) => command.startsWith('git ');
    expect([naive('ls && git push'), bash('Bash(git *)', 'ls && git push')]).toEqual([false, true]);
  });

  test('a Bash rule is undecided for a call without a command, and does not match another tool', () => {
    expect([fits('Bash(git *)', 'Bash', {}), fits('Bash(git *)', 'Read', { file_path: 'git' })]).toEqual([
      true,
      false,
    ]);
  });

  test('a Bash rule matches the shell tool of any agent', () => {
    const event = canonical({ name: 'tool.before', payload: { tool: 'shell', input: { command: 'git x' } } });
    expect(readRule('Bash(git *)')(event)).toBe(true);
  });
});

describe('a rule for files', () => {
  test.each([
    ['Edit(src/**)', 'Edit', '/project/src/a/b.ts', true],
    ['Edit(src/**)', 'Edit', 'src/a.ts', true],
    ['Edit(src/**)', 'Write', '/project/src/a.ts', true],
    ['Edit(src/**)', 'Read', '/project/src/a.ts', false],
    ['Edit(src/**)', 'Edit', '/project/lib/src/a.ts', false],
    ['Edit(src/**)', 'Edit', '/elsewhere/src/a.ts', false],
    ['Edit(src/**)', 'Edit', '/project/lib/../src/a.ts', true],
    ['Edit(*.ts)', 'Edit', '/project/deep/down/a.ts', true],
    ['Edit(*.ts)', 'Edit', '/project/a.tsx', false],
    ['Edit(/docs/*.md)', 'Edit', '/project/docs/a.md', true],
    ['Edit(/docs/*.md)', 'Edit', '/project/docs/deep/a.md', false],
    ['Edit(./src)', 'Edit', '/project/src/a.ts', true],
    ['Edit(node_modules/)', 'Edit', '/project/x/node_modules/a.js', true],
    ['Read(//etc/**)', 'Read', '/etc/passwd', true],
    ['Read(//etc/**)', 'Read', '/project/etc/passwd', false],
    ['Read(~/.ssh/**)', 'Read', '/home/somebody/.ssh/id', true],
    ['Read(**/.env)', 'Read', '/project/a/.env', true],
    ['Read(.env)', 'Read', '/project/.env', true],
    ['Read(.env)', 'Read', '/project/.environment', false],
    ['Read(a?c.ts)', 'Read', '/project/abc.ts', true],
    ['Write(src/**)', 'Write', '/project/src/a.ts', true],
  ])('the rule %s, %s of %s: %j', (rule, tool, path, expected) =>
    expect(fits(rule, tool, { file_path: path })).toBe(expected),
  );

  test('a file rule terminates quickly for any pattern', () => {
    const started = performance.now();
    fits(`Edit(${'**/a'.repeat(25)})`, 'Edit', { file_path: `/project/${'a/'.repeat(2000)}b` });
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('other rules', () => {
  test.each([
    ['mcp__github', 'mcp__github__push', {}, true],
    ['mcp__github__*', 'mcp__github__push', {}, true],
    ['mcp__github__push', 'mcp__github__push', {}, true],
    ['mcp__github__push', 'mcp__github__pull', {}, false],
    ['mcp__git', 'mcp__github__push', {}, false],
    ['WebFetch(domain:example.com)', 'WebFetch', { url: 'https://example.com/a' }, true],
    ['WebFetch(domain:example.com)', 'WebFetch', { url: 'https://evil.com/?example.com' }, false],
    ['WebFetch(domain:*.example.com)', 'WebFetch', { url: 'https://a.example.com' }, true],
    ['WebFetch(domain:example.com)', 'WebFetch', { url: 'no url' }, true],
    ['Agent(Explore)', 'Agent', { subagent_type: 'Explore' }, true],
    ['Task(Explore)', 'Agent', { subagent_type: 'Plan' }, false],
    ['Skill(deploy *)', 'Skill', { skill: 'deploy' }, true],
    ['Something(x)', 'Something', { a: 1 }, true],
    ['PowerShell(git *)', 'PowerShell', { command: 'git x' }, true],
    ['PowerShell(git *)', 'PowerShell', { command: 'dir; git x' }, true],
    ['PowerShell(git *)', 'PowerShell', { command: 'dir' }, false],
  ] as const)('the rule %s and %s%j: %j', (rule, tool, input, expected) =>
    expect(fits(rule, tool, input)).toBe(expected),
  );

  test.each(['', 'Bash(', 'Bash)', 'Bash()', 'Bash( )', 'Bash(git *)|Edit', 'Bash Edit', '(x)'])(
    '%j is not a rule',
    (source) => expect(() => readRule(source)).toThrow(SyntaxError),
  );
});
