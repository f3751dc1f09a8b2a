// `anyhook fire` with one TypeScript module of ours: what was compiled is kept, so only its first start compiles.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { versus } from '../measure.mjs';

const CLI = fileURLToPath(new URL('../../packages/anyhook/dist/bin/anyhook.cjs', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'anyhook-module-'));
const project = join(home, 'project');
mkdirSync(join(home, '.config/anyhook/hooks'), { recursive: true });
mkdirSync(project);
writeFileSync(
  join(home, '.config/anyhook/hooks/no-rm.ts'),
  `import { defineHook, deny } from 'anyhook';
export default defineHook({
  on: 'tool.before',
  match: 'shell',
  run(event) {
    const command: unknown = event.payload.input['command'];
    if (typeof command === 'string' && /\\brm\\s+-rf\\b/.test(command)) return deny('not with -rf');
  },
});
`,
);
const input = JSON.stringify({
  hook_event_name: 'PreToolUse',
  session_id: 's',
  cwd: project,
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
});
const run = (args, text) => (times) => {
  for (let i = 0; i < times; i++) {
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: home },
      input: text,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
  }
};
const measured = await versus(run([CLI, 'fire', '--as', 'claude-code'], input), run(['-e', '0'], ''), {
  times: 3,
  rounds: 9,
});
rmSync(home, { recursive: true, force: true });
export default {
  name: '`anyhook fire`, cold: one TypeScript module',
  against: '`node -e 0`',
  target: 2,
  ...measured,
};
