import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DIALECTS } from '../dialects.ts';
import { keepJudged, openJudgedCalls } from './judged-calls.ts';

const CALLED = DIALECTS.flatMap(({ tools }) => tools.mcp ?? []);

function ground() {
  const folder = join(mkdtempSync(join(tmpdir(), 'judged-')), 'notes');
  onTestFinished(() => rmSync(join(folder, '..'), { recursive: true, force: true }));
  return { folder, agent: 'codex', project: () => '/p' };
}
const INPUT = { a: 1, deep: { x: [1], y: 2 } };

test('a call that the bridge allowed is recognised once, in any order of its arguments', () => {
  const whose = ground();
  const proxy = openJudgedCalls(whose, CALLED);
  keepJudged(whose, 'mcp__files__read', INPUT);
  const again = { deep: { y: 2, x: [1] }, a: 1 };
  expect([proxy.consume('files', 'read', again), proxy.consume('files', 'read', again)]).toEqual([
    true,
    false,
  ]);
});

test.each([
  'mcp__files__read',
  'files__read',
  'files_read',
  'mcp_files_read',
  'files-read',
  'mcp__files_read',
])('a judged call is recognised by the tool name of the agent: %s', (name) => {
  const whose = ground();
  const proxy = openJudgedCalls(whose, CALLED);
  keepJudged(whose, name, INPUT);
  expect(proxy.consume('files', 'read', INPUT)).toBe(true);
});

test('a note does not match another input, tool, server, agent or project', () => {
  const whose = ground();
  const proxy = openJudgedCalls(whose, CALLED);
  const others = [{ agent: 'goose' }, { project: () => '/q' }].map((one) => ({ ...whose, ...one }));
  const opened = others.map((one) => openJudgedCalls(one, CALLED));
  keepJudged(whose, 'mcp__files__read', INPUT);
  expect([
    proxy.consume('files', 'read', { ...INPUT, a: 2 }),
    proxy.consume('files', 'write', INPUT),
    proxy.consume('others', 'read', INPUT),
    ...opened.map((one) => one.consume('files', 'read', INPUT)),
    proxy.consume('files', 'read', INPUT),
  ]).toEqual([false, false, false, false, false, true]);
});

test('an expired note does not match', () => {
  const whose = ground();
  const proxy = openJudgedCalls(whose, CALLED);
  keepJudged(whose, 'files_read', INPUT);
  const [folder = ''] = readdirSync(whose.folder).map((name) => join(whose.folder, name));
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), 0, 0);
  expect(proxy.consume('files', 'read', INPUT)).toBe(false);
});

test('no notes are written without a proxy, and the last proxy removes all files', () => {
  const whose = ground();
  keepJudged(whose, 'files_read', INPUT);
  expect(existsSync(whose.folder)).toBe(false);
  const proxy = openJudgedCalls(whose, CALLED);
  keepJudged(whose, 'files_read', INPUT);
  proxy.close();
  expect(existsSync(whose.folder)).toBe(false);
});
