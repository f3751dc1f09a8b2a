/** Tests the bundler of Bun, installed from npm: output for Node, for Bun, and as a standalone program. */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ANSWERS, bundledWorld, TOLD } from '../fixtures/bundled.ts';

const run = promisify(execFile);
const { folder, program, started } = bundledWorld();
const fetched = mkdtempSync(join(tmpdir(), 'anyhook-bun-'));
const bun = join(fetched, `node_modules/@oven/bun-${process.platform}-${process.arch}/bin/bun`);
beforeAll(async () => {
  writeFileSync(join(fetched, 'package.json'), JSON.stringify({ private: true }));
  const how = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', ...how, 'bun@1.4.4'], { cwd: fetched });
});
afterAll(() => {
  for (const one of [folder, fetched]) rmSync(one, { recursive: true, force: true });
});

interface Kind {
  readonly name: string;
  readonly options: readonly string[];
  /** Additional arguments if anyhook is external. */
  readonly outside: readonly string[];
  readonly start: (file: string) => readonly [string, ...string[]];
}
const KINDS: readonly Kind[] = [
  {
    name: 'for Node',
    options: ['--target=node'],
    outside: [],
    start: (file) => [process.execPath, file],
  },
  { name: 'for Bun', options: ['--target=bun'], outside: [], start: (file) => [bun, file] },
  {
    name: 'as a program of its own',
    options: ['--compile'],
    // Otherwise such a program does not look for packages on disk.
    outside: ['--compile-autoload-package-json'],
    start: (file) => [file],
  },
];

test.each(KINDS)(
  'bun build $name: a program with anyhook as an external dependency answers as without a bundle',
  async (kind) => {
    const file = join(folder, `outside${KINDS.indexOf(kind)}.mjs`);
    await run(bun, [
      'build',
      program,
      ...kind.options,
      ...kind.outside,
      '--external=anyhook',
      `--outfile=${file}`,
    ]);
    expect(started(...kind.start(file))).toMatchObject({ status: 0, answers: ANSWERS });
  },
);

test.each(KINDS)(
  'bun build $name: a program with anyhook in the bundle reports at startup what must be external',
  async (kind) => {
    const file = join(folder, `inside${KINDS.indexOf(kind)}.mjs`);
    await run(bun, ['build', program, ...kind.options, `--outfile=${file}`]);
    expect(started(...kind.start(file))).toEqual({
      status: 3,
      answers: undefined,
      stderr: expect.stringContaining(TOLD),
    });
  },
);
