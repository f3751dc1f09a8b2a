// What configured hooks cost before the first event: opening fifty of five dialects, and the memory that ten thousand hold.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeTree } from '../../packages/anyhook/dist/internals.js';
import { EVERYTHING } from '../../packages/anyhook/dist/testing/index.js';
import { valued, versus } from '../measure.mjs';

const LIBRARY = fileURLToPath(new URL('../../packages/anyhook/dist/index.js', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'anyhook-many-'));
const [home, project] = [join(root, 'home'), join(root, 'project')];
mkdirSync(project, { recursive: true });
const put = (path, value) => {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), typeof value === 'string' ? value : JSON.stringify(value));
};
const times = (count, make) => Array.from({ length: count }, (_, i) => make(i));
const claudeShaped = (matcher) => ({
  hooks: { PreToolUse: times(9, (i) => ({ matcher, hooks: [{ type: 'command', command: `true ${i}` }] })) },
});
put('.config/anyhook/hooks.json', {
  hooks: { 'tool.before': times(9, (i) => ({ match: 'shell', run: `true ${i}` })) },
});
put('.claude/settings.json', claudeShaped('Bash'));
put('.codex/hooks.json', claudeShaped('Bash'));
put('.gemini/settings.json', {
  hooks: {
    BeforeTool: times(9, (i) => ({
      matcher: 'run_shell_command',
      hooks: [{ type: 'command', command: `true ${i}` }],
    })),
  },
});
put('.config/goose/hooks.json', {
  hooks: { PreToolUse: times(9, (i) => ({ hooks: [{ type: 'command', command: `true ${i}` }] })) },
});
times(5, (i) =>
  put(
    `.config/anyhook/hooks/module-${i}.ts`,
    `import { defineHook } from 'anyhook';
export default defineHook({ on: 'tool.before', name: 'm${i}', run: (): undefined => undefined });
`,
  ),
);

const node = (...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
};
const HOST = `host: { name: 'bench', can: ${JSON.stringify(EVERYTHING)} }, journal: false`;
/** The opening alone, as the program itself measures it: loading the library is not in it. */
const OPENING = `const { createHooks } = await import(${JSON.stringify(LIBRARY)});
await (await createHooks({ ${HOST}, settings: false })).close();
const began = performance.now();
const hooks = await createHooks({ ${HOST} });
console.log(performance.now() - began, hooks.hooks.length);
process.exit(0);`;
const opening = (count) => {
  let ms = 0;
  for (let i = 0; i < count; i++) {
    const [took, found] = node('--input-type=module', '-e', OPENING).split(' ').map(Number);
    if (found < 40) throw new Error(`only ${found} hooks were found`);
    ms += took;
  }
  return ms;
};
const start = (count) => {
  for (let i = 0; i < count; i++) node('-e', '0');
};
const opened = await versus(opening, start, { times: 2, rounds: 9 });

const resident = (code) => Number(node('--expose-gc', '--input-type=module', '-e', code));
const MEASURED = 'gc(); gc(); console.log(process.memoryUsage.rss() / 1e6); process.exit(0);';
const MANY = `const { createHooks, defineHook } = await import(${JSON.stringify(LIBRARY)});
const hooks = await createHooks({ ${HOST}, settings: false, hooks: Array.from({ length: 10_000 }, (_, n) =>
  defineHook({ on: 'tool.before', name: 'h' + n, match: 'tool' + n, run: () => undefined })) });
await hooks.fire({ name: 'tool.before', payload: { tool: 'tool7', input: {} } });
${MEASURED}`;
const above = Array.from({ length: 7 }, () => resident(MANY) - resident(MEASURED));
removeTree(root);

export default {
  name: '`createHooks`: fifty hooks of five dialects, five of them TypeScript modules',
  against: '`node -e 0`',
  target: 1,
  ...opened,
  also: {
    name: 'memory of 10,000 hooks, above bare Node',
    unit: 'MB',
    target: 25,
    ...valued(above),
  },
};
