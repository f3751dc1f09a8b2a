/**
 * Slow patterns in every setting that accepts one: reading the file and running its hooks stay fast. Regression:
 * plugin names of OpenCode with stars became a regular expression that let a project delay every event.
 */

import { expect, test } from 'vitest';
import { findDialect } from '../../src/dialects.ts';
import { makeEngine } from '../../src/engine/engine.ts';
import type { Place } from '../../src/events/dialect.ts';
import { globTest } from '../../src/self-protection/guarded-tree.ts';
import { event } from '../../src/testing/index.ts';
import { control, result } from './results.ts';

const LONG = 'a'.repeat(3_000);
const SOON_MS = 5_000;
const BOMBS = [
  `${'a*'.repeat(30)}b`,
  `${'*a'.repeat(30)}*b`,
  `${'**/a'.repeat(30)}/b`,
  `${'**'.repeat(200)}b`,
  `${'?*'.repeat(30)}!`,
  `${'[a-z]*'.repeat(20)}!`,
  `${'{a,a}'.repeat(25)}b`,
  '{a,{b,{c,{d,{e,f}}}}}'.repeat(6),
  '{1..100000000}',
  `${'@(a|a)'.repeat(20)}b`,
  `${'!(a)*'.repeat(10)}b`,
  '+(+(a))b',
  `${'(a|a)*'.repeat(10)}b`,
  '(a+)+b',
  '(a*)*b',
];

const grouped = (word: string, entry: object, group: object = {}) => ({
  hooks: { [word]: [{ ...group, hooks: [{ type: 'command', command: 'true', ...entry }] }] },
});
const byMatcher = (word: string) => (matcher: string) => grouped(word, {}, { matcher });
const inOurs = (match: string) => ({ hooks: { 'tool.before': [{ match, run: 'true' }] } });
const listed = (entry: object) => ({ version: 1, hooks: { preToolUse: [entry] } });
const PLACES: readonly (readonly [dialect: string, what: string, file: (bomb: string) => object])[] = [
  ['anyhook', 'names', inOurs],
  ['anyhook', 'commands', (bomb) => inOurs(`shell(${bomb})`)],
  ['anyhook', 'paths', (bomb) => inOurs(`write(${bomb})`)],
  ['anyhook', 'a pattern', (bomb) => inOurs(`/${bomb.replaceAll('/', '')}/`)],
  ['claude-code', 'matcher', byMatcher('PreToolUse')],
  ['claude-code', 'commands of if', (bomb) => grouped('PreToolUse', { if: `Bash(${bomb})` })],
  ['claude-code', 'paths of if', (bomb) => grouped('PreToolUse', { if: `Write(${bomb})` })],
  ['codex', 'matcher', byMatcher('PreToolUse')],
  ['gemini-cli', 'matcher', byMatcher('BeforeTool')],
  ['goose', 'matcher', (bomb) => byMatcher('PreToolUse')(`Bash(${bomb})`)],
  ['grok-build', 'matcher', byMatcher('PreToolUse')],
  ['qwen-code', 'matcher', byMatcher('PreToolUse')],
  ['copilot-cli', 'matcher', (matcher) => listed({ matcher, type: 'command', bash: 'true' })],
  ['cursor', 'matcher', (matcher) => listed({ matcher, command: 'true' })],
  ['opta', 'matcher', (matcher) => ({ hooks: [{ event: 'tool.pre', matcher, command: 'true' }] })],
  [
    'opencode',
    'files',
    (bomb) => ({ experimental: { hook: { file_edited: { [bomb]: [{ command: ['true'] }] } } } }),
  ],
  ['opencode', 'names of plugins', (bomb) => ({ plugin: [LONG, `-${bomb}`] })],
];
const EVENTS = [
  event('tool.before', { tool: 'shell', input: { command: LONG } }),
  event('tool.before', { tool: LONG, input: {} }),
  event('tool.before', { tool: 'write', input: { path: `/${'a/'.repeat(1_000)}${LONG}`, content: '' } }),
];

test('a pattern with exponential backtracking costs no time in any setting', async () => {
  const slow: string[] = [];
  let cells = 0;
  for (const [name, what, file] of PLACES)
    for (const bomb of BOMBS) {
      const started = performance.now();
      const dialect = findDialect(name)!;
      const place = { layer: 'project', sort: 'project', file: `/p/.${name}/hooks.json` } as Place;
      const { hooks } = dialect.config.read(JSON.stringify(file(bomb)), place);
      const run = () => ({ kind: 'exited', code: 0, stdout: '', stderr: '' }) as const;
      const engine = makeEngine({ dialects: [dialect], hooks, services: {}, run });
      for (const one of EVENTS) await engine.fire(one);
      cells++;
      if (performance.now() - started > SOON_MS) slow.push(`${name}, ${what}: ${bomb}`);
    }
  result(
    'G17',
    `${BOMBS.length} patterns that take for ever, in ${PLACES.length} places of settings: ${cells} cells`,
    `${slow.length} slow`,
  );
  expect(slow).toEqual([]);
});

test('command names with such patterns cost no time against guarded names', () => {
  const started = performance.now();
  for (const bomb of BOMBS) globTest(bomb)('a'.repeat(255));
  expect(performance.now() - started).toBeLessThan(SOON_MS);
});

test('control: the same stars as a regular expression are slow', () => {
  const pattern = new RegExp(`^${'a.*'.repeat(6)}b$`);
  const started = performance.now();
  pattern.test('a'.repeat(60));
  const tookMs = performance.now() - started;
  control(
    'G17',
    'six stars of thirty as a regular expression, 60 letters of 3,000',
    `${Math.round(tookMs)} ms`,
  );
  expect(tookMs).toBeGreaterThan(100);
});
