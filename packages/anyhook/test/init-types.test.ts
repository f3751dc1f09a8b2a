/** The files of `init` are enough for `tsc` and editors: our types are found, and a type error is reported. */

import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));
const CLI = join(PACKAGE, 'dist/bin/anyhook.cjs');
const TSC = join(PACKAGE, '../../node_modules/typescript/bin/tsc');

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-init-')));
  for (const folder of ['home', 'project/node_modules']) mkdirSync(join(root, folder), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const person = (...args: string[]) =>
  execFileSync('sh', [join(PACKAGE, 'test/person.sh'), process.execPath, CLI, ...args], {
    cwd: join(root, 'project'),
    env: { PATH: process.env['PATH'], HOME: join(root, 'home') },
  });
const tscIn = (folder: string) =>
  spawnSync(process.execPath, [TSC, '-p', folder], { encoding: 'utf8' }).stdout.replaceAll(root, '');

test.each([
  ['a project', ['init'], 'project/.anyhook'],
  ['the person’s own folder', ['init', '--user'], 'home/.config/anyhook'],
] as const)('tsc finds our types in %s, and what is wrong with a hook', (_, args, folder) => {
  symlinkSync(PACKAGE, join(root, 'project/node_modules/anyhook'), 'junction'); // Like `npm i -D anyhook`.
  person(...args);
  const place = join(root, folder);
  appendFileSync(
    join(place, 'hooks/guard.ts'),
    "import { commandsIn } from 'anyhook/bash';\ncommandsIn('ls');\n",
  );
  expect(tscIn(place)).toBe('');
  appendFileSync(join(place, 'hooks/guard.ts'), "import { deny } from 'anyhook';\ndeny(7);\n");
  expect(tscIn(place)).toMatch(/guard\.ts\(\d+,\d+\): error TS\d+/);
});
