/**
 * `npm run test:no-proc`: the daemon, both clients and the command runner on Linux with `/proc` hidden, which is what they find on
 * macOS. An empty file system is mounted over it, in a mount namespace that ends with the tests.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const HIDE = 'mount -t tmpfs tmpfs /proc && exec "$@"';
/** @param {readonly string[]} command */
const withoutProc = (...command) => ['-m', 'sh', '-c', HIDE, 'sh', ...command];

if (process.platform !== 'linux' || spawnSync('unshare', withoutProc('true')).status !== 0)
  console.log('Skipped test:no-proc: it needs Linux, root, and `unshare` and `mount` from util-linux.');
else {
  const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
  const config = 'packages/anyhook/test/no-proc/vitest.config.ts';
  const args = [vitest, 'run', '--config', config, ...process.argv.slice(2)];
  process.exitCode =
    spawnSync('unshare', withoutProc(process.execPath, ...args), { stdio: 'inherit' }).status ?? 1;
}
