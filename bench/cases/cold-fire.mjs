// Other agents start `anyhook fire` for every event. Cold, with hooks configured, none of them for this event; then with hooks
// for this event, none of which fits the tool.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { versus } from '../measure.mjs';

const CLI = fileURLToPath(new URL('../../packages/anyhook/dist/bin/anyhook.cjs', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'anyhook-cold-'));
const [home, project] = [join(root, 'home'), join(root, 'project')];
for (const folder of [project, join(home, '.claude')]) mkdirSync(folder, { recursive: true });
const entry = [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }];
writeFileSync(join(home, '.claude/settings.json'), JSON.stringify({ hooks: { PreToolUse: entry } }));

const run = (args, input) => (times) => {
  for (let i = 0; i < times; i++) {
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: home },
      input,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
  }
};
const event = (name) =>
  JSON.stringify({ hook_event_name: name, session_id: 's', cwd: project, tool_name: 'Read', tool_input: {} });
const node = run(['-e', '0'], '');
const fire = (name) => run([CLI, 'fire', '--as', 'claude-code'], event(name));
const silent = await versus(fire('PostToolUse'), node, { times: 5, rounds: 15 });
// Hooks listen to this event, and none fits this tool: the record says so, and the guard of our own files is asked.
const guarded = await versus(fire('PreToolUse'), node, { times: 3, rounds: 9 });
rmSync(root, { recursive: true, force: true });
export default {
  name: '`anyhook fire`, cold: nobody listens',
  against: '`node -e 0`',
  target: 1.5,
  ...silent,
  also: {
    name: '`anyhook fire`, cold: hooks listen, none fits this tool, and the record is written',
    against: '`node -e 0`',
    ...guarded,
  },
};
