import { execFileSync } from 'node:child_process';
import { join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** By the compiler of this repository, in its root. */
const tsc = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });

test('types are checked against sources: nothing that is built is read', () => {
  const read = tsc('-p', 'tsconfig.json', '--listFilesOnly')
    .split('\n')
    .map((file) => relative(ROOT, file).split(sep).join('/'));
  // Named by the agent and by examples as `anyhook/…`, and found as sources.
  expect(read).toEqual(
    expect.arrayContaining(
      ['index', 'menu/index', 'agents/opencode/api/index', 'shell/index'].map(
        (file) => `packages/anyhook/src/${file}.ts`,
      ),
    ),
  );
  expect(read.filter((file) => /^packages\/[^/]+\/dist\//.test(file))).toEqual([]);
});

test('the agent is built against what is published', () => {
  const { compilerOptions } = JSON.parse(tsc('-p', 'packages/agent/tsconfig.json', '--showConfig')) as {
    compilerOptions: Record<string, unknown>;
  };
  expect(compilerOptions['paths']).toBeUndefined();
});
