/**
 * Bundles a program that embeds `createHooks` with real bundlers. As an external dependency it works; bundled, it
 * reports an error at startup. Bun is tested by `npm run test:peers`.
 */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Format } from 'esbuild';
import { rolldown } from 'rolldown';
import { afterAll, expect, test } from 'vitest';
import { ANSWERS, bundledWorld, TOLD } from './fixtures/bundled.ts';

const { folder, program, started } = bundledWorld();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Bundling {
  readonly name: string;
  /** Writes the bundle to this file. */
  readonly bundle: (outfile: string, external: readonly string[]) => Promise<unknown>;
  readonly ending: 'mjs' | 'cjs';
}

const withEsbuild = (format: Format, ending: Bundling['ending']): Bundling => ({
  name: `esbuild, ${format}`,
  ending,
  bundle: (outfile, external) =>
    build({
      entryPoints: [program],
      bundle: true,
      platform: 'node',
      logLevel: 'silent',
      format,
      outfile,
      external: [...external],
      banner:
        format === 'esm'
          ? {
              js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
            }
          : {},
    }),
});
const BUNDLERS: readonly Bundling[] = [
  withEsbuild('esm', 'mjs'),
  withEsbuild('cjs', 'cjs'),
  {
    name: 'rolldown',
    ending: 'mjs',
    bundle: async (outfile, external) => {
      const made = await rolldown({
        input: program,
        platform: 'node',
        external: [...external],
        logLevel: 'silent',
      });
      await made.write({ file: outfile, codeSplitting: false });
    },
  },
];

test.each(BUNDLERS)(
  '$name: a program with anyhook as an external dependency answers as without a bundle',
  async ({ bundle, ending }) => {
    const file = join(folder, `outside.${ending}`);
    await bundle(file, ['anyhook']);
    expect(started(process.execPath, file)).toMatchObject({ status: 0, answers: ANSWERS });
  },
);

test.each(BUNDLERS)(
  '$name: a program with anyhook in the bundle reports at startup what must be external',
  async ({ bundle, ending }) => {
    const file = join(folder, `inside.${ending}`);
    await bundle(file, []);
    expect(started(process.execPath, file)).toEqual({
      status: 3,
      answers: undefined,
      stderr: expect.stringContaining(TOLD),
    });
  },
);
