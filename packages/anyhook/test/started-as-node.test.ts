/**
 * Hosts whose `process.execPath` is not Node: starting it would start the application again without end. Each test
 * counts how often a real application of this kind starts.
 */

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'ah-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const put = (path: string, text: string): string => {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
};
const starts = join(root, 'starts');
const library = new URL('../dist/index.js', import.meta.url).href;

put('home/.config/anyhook/hooks.json', '{ "hooks": { "tool.before": [{ "run": "echo no >&2; exit 2" }] } }');
put(
  'plugin-home/.config/opencode/plugin/guard.js',
  `export const Guard = async () => ({ 'tool.execute.before': async () => { throw new Error('no'); } });\n`,
);
/** Started with whatever arguments, it is the application: what a single executable does. */
const app = put(
  'app',
  `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${join(root, 'main.mjs')} "$@"\n`,
);
put(
  'main.mjs',
  `import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(starts)}, 'started\\n');
if (readFileSync(${JSON.stringify(starts)}, 'utf8').split('\\n').length > 6) process.exit(9); // an endless chain
process.execPath = ${JSON.stringify(app)};
const { createHooks } = await import(${JSON.stringify(library)});
const hooks = await createHooks({
  host: { name: 'app', can: { 'tool.before': { deny: 'full' } } },
  home: process.env.APP_HOME, cwd: process.env.APP_HOME, journal: false,
});
const { proceed, reason } = await hooks.fire({ name: 'tool.before', payload: { tool: 'shell', input: { command: 'ls' } } });
console.log(JSON.stringify({ proceed, reason }));
await hooks.close();
`,
);

function run(home: string, env: Record<string, string>) {
  rmSync(starts, { force: true });
  const { stdout, stderr } = spawnSync(app, [], {
    encoding: 'utf8',
    timeout: 55_000,
    env: { APP_HOME: join(root, home), HOME: join(root, home), ...env },
  });
  const count = existsSync(starts) ? readFileSync(starts, 'utf8').trim().split('\n').length : 0;
  return { count, stderr, ...(JSON.parse(stdout || '{}') as { proceed?: string; reason?: string }) };
}

for (const home of ['home', 'plugin-home'] as const) {
  test(`an application that is not a Node runs its hooks with the Node on the PATH (${home})`, () => {
    const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
    expect(run(home, { PATH })).toMatchObject({
      count: 1,
      proceed: 'no',
      reason: expect.stringContaining('no'),
    });
  });

  test(`an application that is not a Node runs its hooks with ANYHOOK_NODE (${home})`, () => {
    const ran = run(home, { PATH: '/nowhere', ANYHOOK_NODE: process.execPath });
    expect([ran.count, ran.proceed]).toEqual([1, 'no']);
  });

  test(`an application without a Node is started at most twice, and its guards refuse (${home})`, () => {
    const ran = run(home, { PATH: '/nowhere' });
    expect(ran.proceed).toBe('no');
    expect(ran.count).toBeLessThanOrEqual(2);
  });
}
