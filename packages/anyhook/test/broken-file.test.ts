/** Unreadable settings are reported where users notice them, not only by `list`. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const CLI = fileURLToPath(new URL('../dist/bin/anyhook.cjs', import.meta.url));
const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-broken-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function world(files: Readonly<Record<string, string>>) {
  const [home, project] = [mkdtempSync(join(root, 'home-')), mkdtempSync(join(root, 'project-'))];
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const anyhook = (args: readonly string[], input = '') => {
    const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' };
    return spawnSync(process.execPath, [CLI, ...args], { cwd: project, env, input, encoding: 'utf8' });
  };
  const fire = (hook_event_name: string, more: object = {}) =>
    anyhook(
      ['fire', '--as', 'claude-code'],
      JSON.stringify({ hook_event_name, session_id: 's', cwd: project, ...more }),
    );
  return { anyhook, fire };
}
const CALL = { tool_name: 'Bash', tool_input: { command: 'ls' } };

test('a broken user settings file is reported on stderr at every fire, and to the user when a session starts', () => {
  const { fire } = world({ '.config/opta/config.json': '{ "hooks": [ ' });
  const start = fire('SessionStart', { source: 'startup' });
  expect([start.stderr, (JSON.parse(start.stdout) as { systemMessage: string }).systemMessage]).toEqual([
    expect.stringMatching(/^anyhook: error: .*\.config\/opta\/config\.json/),
    expect.stringMatching(/\.config\/opta\/config\.json/),
  ]);
  const calls = [fire('PreToolUse', CALL), fire('PreToolUse', CALL)];
  for (const { status, stderr } of calls)
    expect([status, stderr]).toEqual([0, expect.stringMatching(/config\.json/)]);
});

test('valid settings produce no report', () => {
  const { fire } = world({ '.config/opta/config.json': '{ "hooks": [] }' });
  const { stdout, stderr } = fire('SessionStart', { source: 'startup' });
  expect([stdout, stderr]).toEqual(['', '']);
});

test('an Opta plugin folder without `.mcp.json` is listed as not loaded, with the reason', () => {
  const hooks = '{ "hooks": [{ "event": "tool.pre", "command": "exit 1" }] }';
  const { anyhook } = world({
    '.config/opta/plugins/guard/hooks/hooks.json': hooks,
    '.config/opta/plugins/whole/hooks/hooks.json': hooks,
    '.config/opta/plugins/whole/.mcp.json': '{}',
  });
  const { notLoaded } = JSON.parse(anyhook(['list', '--json']).stdout) as {
    notLoaded: { file: string; why: string }[];
  };
  expect(notLoaded).toEqual([
    {
      code: 'not-read',
      file: expect.stringMatching(/plugins\/guard\/hooks\/hooks\.json$/),
      why: expect.stringContaining('an Opta plugin needs an .mcp.json'),
    },
  ]);
});
