/** Settings of other agent versions: unknown structures are rejected with a message and left unchanged. */

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AgentName, AGENTS } from '../agents/index.ts';
import { carryOut } from './carry-out.ts';
import { planInstall } from './plan.ts';
import { setupFor } from './setup.ts';

let home = '';
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'versions-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const install = (agent: AgentName) =>
  carryOut(planInstall(AGENTS[agent], { scope: 'user', home, cwd: home, env: {} }, setupFor('closed')));

const FILES = {
  'claude-code': '.claude/settings.json',
  codex: '.codex/hooks.json',
  'gemini-cli': '.gemini/settings.json',
  'qwen-code': '.qwen/settings.json',
  cursor: '.cursor/hooks.json',
} as const;
const SHAPES: readonly (readonly [string, string])[] = [
  ['{ "hooks": [ { "on": "tool" } ] }', '"hooks" is not an object'],
  ['{ "hooks": { "PreToolUse": { "run": [] } } }', '"hooks.PreToolUse" is not a list'],
  ['[ { "hooks": {} } ]', 'is not a JSON object'],
];
const all = (Object.keys(FILES) as (keyof typeof FILES)[]).flatMap((agent) =>
  SHAPES.map(([text, why]) => [agent, FILES[agent], text, why] as const),
);

test.each([
  ...all,
  ['cursor', FILES.cursor, '{ "version": 7, "hooks": {} }', 'says "version": 7, and what we write is for 1'],
  [
    'kimi-code',
    '.kimi-code/config.toml',
    '[hooks]\nstop = 1\n',
    'has its hooks in a form that cannot be extended',
  ],
] as const)('%s: %s that reads %s is left unchanged', (agent, name, text, why) => {
  const file = join(home, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  expect(() => install(agent)).toThrow(why);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test.each([
  ['claude-code', '{ "settingsVersion": 9, "hooks": { "BeforeThought": [ { "run": "x" } ] } }'],
  ['cursor', '{ "version": 1, "hooks": { "beforeThought": [ { "run": "x" } ] } }'],
] as const)('%s: unknown keys and events are kept beside our entries', (agent, text) => {
  const file = join(home, FILES[agent]);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  install(agent);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(JSON.parse(text) as object);
});
