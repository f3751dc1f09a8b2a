/** A program that embeds `createHooks`, put through real bundlers: kept outside it works, taken in it says so at the start. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, type Format } from 'esbuild';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const run = promisify(execFile);
const hasBun = spawnSync('bun', ['--version']).status === 0;

/** A hook of the person's, which starts a process, and one in the program. */
const PROGRAM = `import { createHooks, deny } from 'anyhook';

async function main() {
  const hooks = await createHooks({
    host: { name: 'bundled', can: { 'tool.before': { deny: 'full' } } },
    hooks: { 'tool.before': ({ payload }) => (payload.tool === 'fetch' ? deny('not here') : undefined) },
  });
  const ask = async (tool, input) => {
    const { proceed, reason } = await hooks.fire({ name: 'tool.before', payload: { tool, input } });
    return [tool, proceed, reason];
  };
  const said = [
    await ask('shell', { command: 'cd x && rm -rf y' }),
    await ask('shell', { command: 'ls' }),
    await ask('fetch', { url: 'https://example.com' }),
  ];
  await hooks.close();
  console.log(JSON.stringify(said));
}
main().catch((error) => {
  console.error(String(error.message));
  process.exitCode = 3;
});
`;
const ANSWERS = [
  ['shell', 'no', 'Use the trash.'],
  ['shell', 'yes', ''],
  ['fetch', 'no', 'not here'],
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'anyhook-bundled-'));
  mkdirSync(join(folder, 'project'));
  mkdirSync(join(folder, 'home/.config/anyhook'), { recursive: true });
  writeFileSync(join(folder, 'program.mjs'), PROGRAM);
  writeFileSync(
    join(folder, 'home/.config/anyhook/hooks.json'),
    `{ "hooks": { "tool.before": [{ "match": "shell(rm -rf*)", "run": "echo 'Use the trash.' >&2; exit 2" }] } }`,
  );
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
});
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
      entryPoints: [join(folder, 'program.mjs')],
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
        input: join(folder, 'program.mjs'),
        platform: 'node',
        external: [...external],
        logLevel: 'silent',
      });
      await made.write({ file: outfile, codeSplitting: false });
    },
  },
  ...(hasBun
    ? [
        {
          name: 'bun build',
          ending: 'mjs' as const,
          bundle: (outfile: string, external: readonly string[]) =>
            run('bun', [
              'build',
              join(folder, 'program.mjs'),
              '--target=node',
              `--outfile=${outfile}`,
              ...external.map((name) => `--external=${name}`),
            ]),
        },
      ]
    : []),
];

const started = (file: string) => {
  const env = { PATH: process.env['PATH'], HOME: join(folder, 'home') };
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
    cwd: join(folder, 'project'),
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

test.each(BUNDLERS)(
  '$name: kept outside of the bundle, it answers as it does without one',
  async ({ bundle, ending }) => {
    const file = join(folder, `outside.${ending}`);
    await bundle(file, ['anyhook']);
    const { stdout, stderr } = started(file);
    expect([JSON.parse(stdout || '[]'), stderr]).toEqual([ANSWERS, expect.any(String)]);
  },
);

test.each(BUNDLERS)(
  '$name: taken into the bundle, it says at the start what must stay outside',
  async ({ bundle, ending }) => {
    const file = join(folder, `inside.${ending}`);
    await bundle(file, []);
    const { status, stdout, stderr } = started(file);
    expect([status, stdout, stderr]).toEqual([
      3,
      '',
      expect.stringContaining(
        'Keep it outside of the bundle and installed beside it: esbuild --external:anyhook',
      ),
    ]);
  },
);
