import { execFileSync } from 'node:child_process';
import { join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** Runs the compiler of this repository in its root. */
const tsc = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });

test('types are checked against sources and not against built files', () => {
  const read = tsc('-p', 'tsconfig.json', '--listFilesOnly')
    .split('\n')
    .map((file) => relative(ROOT, file).split(sep).join('/'));
  // The agent and examples import these as `anyhook/…`, which resolves to sources.
  expect(read).toEqual(
    expect.arrayContaining(
      ['index', 'menu/index', 'agents/opencode/api/index', 'shell/index'].map(
        (file) => `packages/anyhook/src/${file}.ts`,
      ),
    ),
  );
  expect(read.filter((file) => /^packages\/[^/]+\/dist\//.test(file))).toEqual([]);
});

test('the agent is built against the published types', () => {
  const { compilerOptions } = JSON.parse(tsc('-p', 'packages/agent/tsconfig.json', '--showConfig')) as {
    compilerOptions: Record<string, unknown>;
  };
  expect(compilerOptions['paths']).toBeUndefined();
});
