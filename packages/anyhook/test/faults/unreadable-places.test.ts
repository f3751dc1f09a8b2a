/**
 * T1, T9: links to devices and pipes in place of small files of a project or of the user's state. Regression: a
 * repository whose extension had a `package.json` linked to `/dev/zero` blocked every event of every agent before it
 * was trusted.
 */

import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, expect, test } from 'vitest';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { result } from './results.ts';

const CLI = join(import.meta.dirname, '../../bin/anyhook.cjs');
const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-places-')));
afterAll(() => removeTree(root));

function makeWorld() {
  const world = mkdtempSync(join(root, 'world-'));
  const put = (path: string, value: object) => {
    mkdirSync(dirname(join(world, path)), { recursive: true });
    writeFileSync(join(world, path), JSON.stringify(value));
  };
  put('home/.config/anyhook/hooks.json', { hooks: { 'tool.before': [{ run: 'echo no >&2; exit 2' }] } });
  put('project/.anyhook/hooks.json', {
    modules: ['./m.mjs'],
    hooks: { 'tool.before': [{ run: './guard.sh' }, { run: 'node scripts/g.js' }, { run: 'npm run lint' }] },
  });
  put('project/.pi/settings.json', { extensions: ['./ext', './e.ts'], packages: ['./pk'] });
  put('project/opencode.json', { plugin: ['./plug.ts'] });
  return world;
}
async function asked(world: string) {
  const payload = {
    hook_event_name: 'PreToolUse',
    session_id: 's1',
    cwd: join(world, 'project'),
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  };
  const { exitCode, timedOut } = await execa(
    process.execPath,
    ['--max-old-space-size=300', CLI, 'fire', '--as', 'codex', '--host', 'codex'],
    {
      cwd: join(world, 'project'),
      env: { PATH: process.env['PATH'], HOME: join(world, 'home') },
      extendEnv: false,
      reject: false,
      timeout: 60_000,
      input: JSON.stringify(payload),
    },
  );
  return timedOut ? 'hung' : exitCode;
}
const STATE = 'home/.local/state/anyhook';
const PLACES = [
  'project/package.json',
  'project/.pi/extensions/x/package.json',
  'project/.pi/ext/package.json',
  'project/.pi/pk/package.json',
  'project/.pi/e.ts',
  'project/.pi/hooks/a.ts',
  'project/.omp/extensions/x/package.json',
  'project/.omp/hooks/pre/a.ts',
  'project/.opencode/plugin/a.ts',
  'project/plug.ts',
  'project/.anyhook/hooks/a.mjs',
  'project/.anyhook/m.mjs',
  'project/guard.sh',
  'project/scripts/g.js',
  'project/.mcp.json',
  'home/.local/share/anyhook/paused.json',
  'home/.local/share/anyhook/installs/x-mcp-0a.json',
  'home/.local/share/anyhook/agents/x.json',
  `${STATE}/acts.jsonl`,
  `${STATE}/sessions/*`,
];

/** A star: what the first event has left there. */
async function placed(world: string, place: string): Promise<string> {
  if (!place.endsWith('/*')) return join(world, place);
  await asked(world);
  const folder = join(world, dirname(place));
  return join(folder, readdirSync(folder)[0]!);
}

test.each(PLACES)(
  'with %s as a link to /dev/zero or a pipe, the event is answered and refused',
  async (place) => {
    for (const thing of ['zero', 'pipe'] as const) {
      const world = makeWorld();
      const path = await placed(world, place);
      rmSync(path, { force: true });
      mkdirSync(dirname(path), { recursive: true });
      if (thing === 'zero') symlinkSync('/dev/zero', path);
      else execFileSync('mkfifo', [path]);
      expect(await asked(world), thing).toBe(2);
    }
  },
);

test('every location was tried', () => {
  result(
    'G2',
    `links to devices and pipes in ${PLACES.length} places of a project and of the person’s state`,
    '0 hold up an event',
  );
});
