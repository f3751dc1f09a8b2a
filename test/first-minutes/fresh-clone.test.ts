/** Runs the commands that `npm start` prints under "Try next" in a fresh clone. */

import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

let root: string;
let clone: string;
let env: Record<string, string | undefined>;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'anyhook-clone-'));
  clone = join(root, 'clone');
  mkdirSync(clone);
  mkdirSync(join(root, 'home'));
  // The content of this tree, including uncommitted files.
  await run('sh', [
    '-c',
    `cd '${ROOT}' && git ls-files -co --exclude-standard -z | tar --null -T - -cf - | tar -xf - -C '${clone}'`,
  ]);
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: clone });
  // Block registries, so that no command runs a package of the same name from npm.
  env = {
    PATH: process.env['PATH'],
    HOME: join(root, 'home'),
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_fetch_retries: '0',
  };
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const typed = (line: string) => {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: clone, env, encoding: 'utf8' });
  return { status, stdout, stderr };
};

test('both commands exist before the first build and explain what to do', () => {
  for (const name of ['anyhook', 'anyhook-agent']) {
    const { status, stderr } = typed(`npx ${name} --help`);
    expect([status, stderr]).toEqual([2, expect.stringContaining(`${name}: not built yet; in ${clone}`)]);
  }
});

test('every line under "Try next" works as printed', () => {
  const { status, stdout } = typed('npm start');
  expect(status).toBe(0);
  const [, lines = ''] = stdout.split('Try next\n');
  const commands = lines.split('\n').flatMap((line) => /^ {2}(npx .*?)(?: {2,}.*)?$/.exec(line)?.[1] ?? []);
  expect(commands.length).toBeGreaterThanOrEqual(5);
  const results = commands.map((line) => ({ line, ...typed(line) }));
  // Exit 1 is valid: no hook listens to `ls`, and the sample waits for trust.
  expect(
    results.filter(({ status: code, stdout: said }) => ![0, 1].includes(code ?? 2) || said === ''),
  ).toEqual([]);
});
