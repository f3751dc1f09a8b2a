/** Real programs with an unusual runtime: Yarn Plug'n'Play, and single executables of Node and Bun. */

import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const root = realpathSync(mkdtempSync(join(tmpdir(), 'ah-runtimes-')));
const put = (path: string, text: string): string => {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const npm = (args: readonly string[], cwd = root): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
let tarball = '';

/** Fires three calls: one refused by a command, one refused by an isolated plugin, and one allowed. */
const FIRE = `async function fire(createHooks) {
  const home = ${JSON.stringify(join(root, 'home'))};
  const host = { name: 'app', can: { 'tool.before': { deny: 'full' } } };
  const hooks = await createHooks({ host, home, cwd: home, journal: false });
  const answers = [];
  for (const command of ['ls', 'pwd', 'true']) {
    const payload = { tool: 'shell', input: { command } };
    answers.push((await hooks.fire({ name: 'tool.before', payload })).proceed);
  }
  await hooks.close();
  console.log(answers.join());
}`;

beforeAll(() => {
  npm(['pack', '--ignore-scripts', '--pack-destination', root], join(ROOT, 'packages/anyhook'));
  tarball = readdirSync(root).find((name) => name.endsWith('.tgz'))!;
  put(
    'home/.config/anyhook/hooks.json',
    '{ "hooks": { "tool.before": [{ "match": "shell(ls)", "run": "echo no >&2; exit 2" }] } }',
  );
  put(
    'home/.config/opencode/plugin/guard.js',
    `export const Guard = async () => ({
  'tool.execute.before': async (_input, output) => {
    if (output.args.command === 'pwd') throw new Error('no');
  },
});\n`,
  );
  npm(['install', '--prefix', join(root, 'tools'), '@yarnpkg/cli-dist', 'postject', 'bun']);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('command hooks and plugins refuse calls under Yarn Plug’n’Play', () => {
  put(
    'pnp/package.json',
    JSON.stringify({ type: 'module', dependencies: { anyhook: `file:../${tarball}` } }),
  );
  put('pnp/yarn.lock', '');
  put('pnp/main.mjs', `import { createHooks } from 'anyhook';\n${FIRE}\nawait fire(createHooks);\n`);
  const registry = npm(['config', 'get', 'registry']).trim();
  const yarn = (...args: string[]): string =>
    execFileSync(
      process.execPath,
      [join(root, 'tools/node_modules/@yarnpkg/cli-dist/bin/yarn.js'), ...args],
      {
        cwd: join(root, 'pnp'),
        encoding: 'utf8',
        env: {
          ...process.env,
          YARN_NPM_REGISTRY_SERVER: registry,
          YARN_UNSAFE_HTTP_WHITELIST: '*',
          YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
          YARN_ENABLE_TELEMETRY: '0',
        },
      },
    );
  yarn('install');
  expect(yarn('node', 'main.mjs').trim()).toBe('no,no,yes');
});

test('hooks in a single executable run with the Node on the PATH, and refuse without one', () => {
  const folder = join(root, 'sea');
  put('sea/package.json', '{}');
  npm(['install', `../${tarball}`], folder);
  put(
    'sea/main.cjs',
    `const { createRequire } = require('node:module');
const { createHooks } = createRequire(${JSON.stringify(join(folder, 'main.cjs'))})('anyhook');
${FIRE}
fire(createHooks);\n`,
  );
  put(
    'sea/sea.json',
    JSON.stringify({ main: 'main.cjs', output: 'app.blob', disableExperimentalSEAWarning: true }),
  );
  execFileSync(process.execPath, ['--experimental-sea-config', 'sea.json'], { cwd: folder });
  const app = join(folder, 'app');
  copyFileSync(process.execPath, app);
  execFileSync(process.execPath, [
    join(root, 'tools/node_modules/postject/dist/cli.js'),
    app,
    'NODE_SEA_BLOB',
    join(folder, 'app.blob'),
    '--sentinel-fuse',
    'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
  ]);
  const run = (PATH: string): string =>
    execFileSync(app, [], { encoding: 'utf8', env: { HOME: root, PATH }, timeout: 120_000 }).trim();
  expect(run(`${dirname(process.execPath)}:/usr/bin:/bin`)).toBe('no,no,yes');
  expect(run('/nowhere')).toBe('no,no,no');
});

test('hooks in a Bun executable do not start it again, and a bundled copy reports what to do', () => {
  const folder = join(root, 'bun');
  put('bun/package.json', '{}');
  npm(['install', `../${tarball}`], folder);
  const starts = join(folder, 'starts');
  const count = `const { appendFileSync, readFileSync } = await import('node:fs');
appendFileSync(${JSON.stringify(starts)}, 'started\\n');
if (readFileSync(${JSON.stringify(starts)}, 'utf8').split('\\n').length > 6) process.exit(9); // an endless chain\n`;
  const library = JSON.stringify(join(folder, 'node_modules/anyhook/dist/index.js'));
  put(
    'bun/beside.mjs',
    `${count}const { createHooks } = await import([${library}].join());\n${FIRE}\nawait fire(createHooks);\n`,
  );
  put(
    'bun/inside.mjs',
    `${count}const { createHooks } = await import('anyhook');\n${FIRE}\nawait fire(createHooks);\n`,
  );
  execFileSync(process.execPath, ['install.js'], {
    cwd: join(root, 'tools/node_modules/bun'),
    stdio: 'ignore',
  });
  const bun = join(root, 'tools/node_modules/bun/bin/bun.exe');
  const run = (name: string, PATH: string) => {
    rmSync(starts, { force: true });
    const { stdout, stderr } = spawnSync(join(folder, name), [], {
      encoding: 'utf8',
      env: { HOME: root, PATH },
      timeout: 120_000,
    });
    return {
      printed: `${stdout}${stderr}`.trim(),
      starts: readFileSync(starts, 'utf8').split('\n').length - 1,
    };
  };
  for (const name of ['beside', 'inside'])
    execFileSync(
      bun,
      ['build', '--compile', '--compile-autoload-package-json', `${name}.mjs`, '--outfile', name],
      {
        cwd: folder,
        stdio: 'ignore',
      },
    );
  const withNode = `${dirname(process.execPath)}:/usr/bin:/bin`;
  expect(run('beside', withNode)).toEqual({ printed: 'no,no,yes', starts: 1 });
  expect(run('beside', '/nowhere')).toEqual({ printed: 'no,no,no', starts: 1 });
  const bundled = run('inside', withNode);
  expect([bundled.starts, bundled.printed]).toEqual([
    1,
    expect.stringContaining('Keep it outside of the bundle'),
  ]);
});
