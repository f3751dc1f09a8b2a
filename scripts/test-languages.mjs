/** `npm run test:languages`: the clients of `anyhook serve` in Python and Go, against the built program. Says what it skipped. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const ANYHOOK_COMMAND = JSON.stringify([
  process.execPath,
  here('../packages/anyhook/dist/bin/anyhook.cjs'),
  'serve',
]);

/** @param {string} program */
const isInstalled = (program) => spawnSync(program, ['--help'], { stdio: 'ignore' }).error === undefined;

let failed = 0;
/** @param {string} title @param {string} folder @param {readonly [string, ...string[]]} command */
function run(title, folder, [program, ...args]) {
  if (!isInstalled(program)) {
    console.log(`skipped: ${title} (${program} is not installed)`);
    return;
  }
  console.log(`== ${title}`);
  const env = { ...process.env, ANYHOOK_COMMAND, PYTHONDONTWRITEBYTECODE: '1', MYPY_CACHE_DIR: '/dev/null' };
  const { status } = spawnSync(program, args, { cwd: here(`../clients/${folder}`), env, stdio: 'inherit' });
  if (status !== 0) failed += 1;
}

run('Python tests', 'python', ['python3', '-m', 'unittest', 'discover', '-s', '.', '-t', '.']);
run('Python types', 'python', ['mypy', '--strict', 'anyhook']);
run('Go tests', 'go', ['go', 'test', '-count=1', './...']);
run('Go vet', 'go', ['go', 'vet', './...']);
process.exitCode = failed === 0 ? 0 : 1;
