/** The hook sets in the package: one command writes them completely, and their cases pass. */

import { spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { lacks } from './programs.mjs';

const CLI = fileURLToPath(new URL('../dist/bin/anyhook.cjs', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-sets-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function world() {
  const [home, project] = [mkdtempSync(join(root, 'home-')), mkdtempSync(join(root, 'project-'))];
  const run = (args: readonly string[], more: { env?: Record<string, string>; input?: string } = {}) => {
    const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '', ...more.env };
    return spawnSync(process.execPath, [CLI, ...args], { ...more, cwd: project, env, encoding: 'utf8' });
  };
  const anyhook = (...args: readonly string[]) => run(args);
  return { home, project, run, anyhook };
}
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();

test.skipIf(lacks('jq'))(
  '`init --set goose` writes the set of the document into the person’s settings, and its cases pass',
  () => {
    const { home, run, anyhook } = world();
    const { status, stderr } = anyhook('init', '--set', 'goose');
    expect([status, stderr]).toEqual([0, '']);
    const placed = join(home, '.config/goose');
    const shipped = filesIn(join(ROOT, 'contrib/hooks'));
    expect(shipped.filter((name) => name.endsWith('.sh'))).toHaveLength(5);
    expect(filesIn(placed)).toEqual(['hooks.json', ...shipped.map((name) => `hooks/${name}`)].toSorted());
    for (const name of shipped.filter((one) => one.endsWith('.sh')))
      expect(statSync(join(placed, 'hooks', name)).mode & 0o111, name).not.toBe(0);
    expect(anyhook('test', join(placed, 'hooks')).status).toBe(0);
    const listed = anyhook('list').stdout;
    expect(listed).toContain('augmentum-permit-check');
    expect(listed).not.toContain('Not loaded');
    // The settings hold a copy of each script, so a script that somebody deleted takes no guard away.
    rmSync(join(placed, 'hooks/augmentum-permit-check.sh'));
    const permits = join(home, 'permits.json');
    writeFileSync(permits, JSON.stringify({ active: [{ scope: 'read' }] }));
    const event = JSON.stringify({
      hook_event_name: 'PreToolUse',
      session_id: 's',
      tool_name: 'developer__shell',
      tool_input: { command: 'ls' },
    });
    const fired = run(['fire', '--as', 'goose'], {
      env: { AUGMENTUM_PERMITS: permits },
      input: event,
    });
    expect([fired.status, fired.stderr]).toEqual([2, expect.stringContaining("No permit covers 'shell'")]);
  },
);

test('`init --set opta` writes the scripts of the document into the project, and their cases pass', () => {
  const { project, anyhook } = world();
  expect(anyhook('init', '--set', 'opta').status).toBe(0);
  expect(filesIn(join(project, '.opta'))).toEqual(filesIn(join(ROOT, 'examples/opta/.opta')));
  const ran = anyhook('test', '.opta/hooks');
  expect([ran.status, ran.stdout]).toEqual([0, expect.stringContaining('a recursive rm is refused')]);
});

test('existing files are not changed, and nothing else is written', () => {
  const { project, anyhook } = world();
  anyhook('init', '--set', 'opta');
  rmSync(join(project, '.opta/hooks'), { recursive: true });
  writeFileSync(join(project, '.opta/config.json'), 'mine');
  const { status, stderr } = anyhook('init', '--set', 'opta');
  expect([status, stderr]).toEqual([2, expect.stringContaining('is there already; nothing was written')]);
  expect(filesIn(join(project, '.opta'))).toEqual(['config.json']);
  expect(readFileSync(join(project, '.opta/config.json'), 'utf8')).toBe('mine');
});

test('an unknown set produces an error that lists the existing ones', () => {
  const { status, stderr } = world().anyhook('init', '--set', 'gose');
  expect([status, stderr]).toEqual([2, expect.stringContaining('known are goose, opta')]);
});
