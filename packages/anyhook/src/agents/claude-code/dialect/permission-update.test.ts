import { expect, test } from 'vitest';
import { rulesFrom, updatesFrom } from './permission-update.ts';

const add = (toolName: string, ruleContent?: string, more: object = {}) => ({
  type: 'addRules',
  rules: [{ toolName, ...(ruleContent !== undefined && { ruleContent }) }],
  behavior: 'allow',
  destination: 'session',
  ...more,
});
const given = (...updates: object[]): unknown =>
  rulesFrom(updates).map((effect) => (effect.kind === 'give' ? effect.value : effect));

test.each<[string, string | undefined, readonly string[]]>([
  ['Bash', undefined, ['shell']],
  ['Bash', 'git status', ['shell(git status)']],
  ['Bash', 'npm run test:*', ['shell(npm run test)', 'shell(npm run test *)']],
  ['Read', '~/.ssh/**', ['read(~/.ssh/**)', 'glob(~/.ssh/**)', 'grep(~/.ssh/**)']],
  ['Edit', '//etc/x', ['write(/etc/x)', 'edit(/etc/x)', 'multi-edit(/etc/x)']],
  ['Write', '/src/**', ['write(src/**)']],
  ['Write', 'docs/*.md', ['write(docs/*.md)']],
  ['Write', '.env', ['write(**/.env)']],
  ['WebFetch', 'domain:a.example', ['fetch(http://a.example/**)', 'fetch(https://a.example/**)']],
  ['mcp__github', undefined, ['mcp__github']],
])('the rule for %s with %j becomes %j', (tool, content, rules) => {
  expect(given(add(tool, content))).toEqual([{ allow: rules, lasts: 'session' }]);
});

test('a rule without equivalent allows nothing more and is reported to the user', () => {
  const lost = (what: string) => ({
    kind: 'notice',
    text: `updatedPermissions: ${what} is not supported here`,
  });
  expect(
    given(
      add('WebFetch', 'anything'),
      add('Unheard', 'of'),
      { type: 'setMode', mode: 'plan', destination: 'session' },
      add('Bash', 'ls', { type: 'removeRules' }),
      add('Bash', 'ls', { destination: 'elsewhere' }),
    ),
  ).toEqual([
    lost('the rule {"toolName":"WebFetch","ruleContent":"anything"}'),
    lost('the rule {"toolName":"Unheard","ruleContent":"of"}'),
    lost('setMode'),
    lost('removeRules'),
    lost('addRules'),
  ]);
  expect(rulesFrom(undefined)).toEqual([]);
});

test('a rule of ours is written back in native syntax, to the intended settings', () => {
  expect([
    ...updatesFrom({ deny: ['shell(git *)'], lasts: 'project' }),
    ...updatesFrom({ ask: ['mcp__github'], lasts: 'person' }),
  ]).toEqual([
    add('Bash', 'git *', { behavior: 'deny', destination: 'projectSettings' }),
    add('mcp__github', undefined, { behavior: 'ask', destination: 'userSettings' }),
  ]);
});
