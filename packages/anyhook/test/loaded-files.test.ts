/** How many files the built package loads for an event. Each of them costs its reader about a third of a millisecond. */

import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'ah-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const [home, project] = [join(root, 'home'), join(root, 'project')];
const dist = new URL('../dist/', import.meta.url).href;

beforeAll(() => {
  mkdirSync(join(home, '.config/anyhook'), { recursive: true });
  mkdirSync(project);
  const guard = { match: 'shell(rm -rf*)', run: 'echo no >&2; exit 2' };
  writeFileSync(
    join(home, '.config/anyhook/hooks.json'),
    JSON.stringify({ hooks: { 'tool.before': [guard] } }),
  );
});

/** Files that one process loads, by V8's own report, without those of Node. The processes that it starts are left out. */
function loadedBy(
  args: readonly string[],
  input = '',
): { readonly stdout: string; readonly files: string[] } {
  const folder = mkdtempSync(join(root, 'loaded-'));
  const { stdout, pid } = spawnSync(process.execPath, args, {
    input,
    cwd: project,
    env: { HOME: home, PATH: process.env['PATH'], NODE_V8_COVERAGE: folder },
    encoding: 'utf8',
  });
  const reports = readdirSync(folder).filter((name) => name.startsWith(`coverage-${pid}-`));
  const files = reports.flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      readonly result: readonly { readonly url: string }[];
    };
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  });
  return { stdout, files: [...new Set(files)] };
}

/** Our modules in these files, below `src`. */
const modulesIn = (files: readonly string[]): readonly string[] =>
  files.flatMap((file) => modules[file.replace(dist, '')] ?? []);
const modules = JSON.parse(readFileSync(new URL('modules.json', dist), 'utf8')) as Record<string, string[]>;

const program = (name: string, text: string): string => {
  const file = join(root, name);
  writeFileSync(file, text);
  return file;
};
const EMBEDDED = `import { createHooks } from '${dist}index.js';
const hooks = await createHooks({ host: { name: 'toy', can: { 'tool.before': { deny: 'full' } } } });
const call = { tool: 'shell', input: { command: 'rm -rf build' } };
console.log((await hooks.fire({ name: 'tool.before', payload: call })).verdict);
`;

test('a program with one shell guard loads at most 80 files for createHooks and a fire', () => {
  const { stdout, files } = loadedBy([program('embedded.mjs', EMBEDDED)]);
  expect(stdout).toBe('deny\n');
  expect(files.length).toBeGreaterThan(10);
  expect(files.length).toBeLessThanOrEqual(80);
});

test('an event without a daemon loads at most 80 files, and not the tree of commands', () => {
  const payload = { hook_event_name: 'PreToolUse', session_id: 's', cwd: project, tool_name: 'Bash' };
  const call = { ...payload, tool_input: { command: 'rm -rf build' } };
  const cli = new URL('bin/anyhook.cjs', dist).pathname;
  const { stdout, files } = loadedBy([cli, 'bridge', 'claude-code'], JSON.stringify(call));
  expect(stdout).toContain('"permissionDecision":"deny"');
  expect(files.length).toBeLessThanOrEqual(80);
  expect(modulesIn(files)).not.toContain('cli/program.ts');
  expect(modulesIn(loadedBy([cli, 'list']).files)).toContain('cli/program.ts');
});
