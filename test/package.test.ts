/** Tests what a user installs: the packed tarballs in an empty folder. Needs the built packages (`npm test` builds). */

import { execFile, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const LONG_MS = 300_000;
const run = promisify(execFile);

interface Manifest {
  readonly name: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}
interface Packed {
  readonly tarball: string;
  readonly files: readonly string[];
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;

/** Packs without scripts: `prepack` would rebuild the package while other tests use it. */
async function pack(folder: string, into: string): Promise<Packed> {
  if (!existsSync(join(ROOT, folder, 'dist')))
    throw new Error(`${folder} is not built: run 'npm run build' first`);
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', into], {
    cwd: join(ROOT, folder),
  });
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  return { tarball: join(into, packed!.filename), files: packed!.files.map((file) => file.path) };
}

/** Size on a disk with 4 KB blocks. */
function megabytesOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const blocks = entries.map((entry) =>
    entry.isFile() ? Math.ceil(statSync(join(entry.parentPath, entry.name)).size / 4096) : 1,
  );
  return (blocks.reduce((sum, count) => sum + count, 0) * 4096) / 1e6;
}

/** All files that the manifest offers for import or as commands. */
const promised = ({ bin = {}, exports }: Manifest): string[] =>
  [
    ...Object.values(bin),
    ...Object.values(exports).flatMap((to) => (typeof to === 'string' ? to : Object.values(to))),
  ]
    .filter((file) => !file.includes('*'))
    .map((file) => file.replace(/^\.\//, ''));

const NOT_FOR_USERS = [
  /(^|\/)(src|test|tests|fixtures|bench)\//,
  /\.test(-d)?\./,
  /^dist\/.*(?<!\.d)\.m?ts$/,
  /tsbuildinfo$/,
];

let folder: string;
const packages: Record<string, Packed> = {};
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'anyhook-package-'));
  for (const name of ['packages/anyhook', 'packages/agent', 'packages/fleet'])
    packages[name] = await pack(name, folder);
}, LONG_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(['packages/anyhook', 'packages/agent', 'packages/fleet'])('%s, packed', (name) => {
  test('a package contains what its manifest lists, its licence and its readme', () => {
    expect(packages[name]!.files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', ...promised(manifestOf(name))]),
    );
  });

  test('a package contains no sources, tests or fixtures', () => {
    const unwanted = packages[name]!.files.filter(
      (file) => !/^(?:dist\/sets|recipes)\//.test(file) && NOT_FOR_USERS.some((sign) => sign.test(file)), // These come with their test cases.
    );
    expect(unwanted).toEqual([]);
  });

  test('a package contains no file whose source was deleted', () => {
    const made = packages[name]!.files.filter((file) =>
      /^dist\/(?!chunks\/|page\/|sets\/|node-client\.cjs|THIRD-PARTY)/.test(file),
    ); // Chunks and the page of the view have several sources; other files have one.
    const orphans = made.filter((file) => {
      const source = file.replace(/^dist\//, 'src/');
      const stem = source.replace(/(?:(\.d)?\.m?[jt]s|\.m?js\.map)$/, '');
      return ![source, `${stem}.ts`, `${stem}.mts`, `${stem}.mjs`].some((from) =>
        existsSync(join(ROOT, name, from)),
      );
    });
    expect(orphans).toEqual([]);
  });

  test('a package has its commands in every clone, because npm links only existing files', async () => {
    const commands = Object.values(manifestOf(name).bin ?? {});
    const { stdout } = await run('git', ['ls-files', ...commands], { cwd: join(ROOT, name) });
    expect(stdout.trim().split('\n')).toEqual(commands.map((file) => file.replace(/^\.\//, '')));
  });

  test('a package is built before it is packed', () => {
    expect(manifestOf(name).scripts).toMatchObject({ prepack: expect.stringContaining('npm run build') });
  });

  test('a package depends on published versions, not on paths in this repository', () => {
    const local = Object.entries(manifestOf(name).dependencies ?? {}).filter(
      ([, range]) => !/^[\^~]?\d+\.\d+\.\d+$/.test(range),
    );
    expect(local).toEqual([]);
  });

  test('a package passes publint', async () => {
    const tarball = new Uint8Array(readFileSync(packages[name]!.tarball)).buffer;
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });
});

/** Pairs of page and text: every complete program in the documentation, recognized by its imports. */
const snippets = ['README.md', 'packages/anyhook/README.md', ...markdownUnder('docs')].flatMap((page) =>
  existsSync(join(ROOT, page))
    ? [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```ts\n(.*?)^```/gms)]
        .map(([, text]) => [page, text!] as const)
        .filter(([, text]) => /from 'anyhook/.test(text))
    : [],
);
function markdownUnder(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.md')).map((file) => join(folder, file));
}

test('the package of anyhook, source maps included, has at most 2.1 MB', () => {
  expect(statSync(packages['packages/anyhook']!.tarball).size).toBeLessThanOrEqual(2_100_000);
});

describe('anyhook in an empty project', () => {
  const manifest = manifestOf('packages/anyhook');
  const modules = Object.keys(manifest.exports)
    .filter((path) => !path.includes('*') && !path.endsWith('.json'))
    .map((path) => `anyhook${path.slice(1)}`);
  let project: string;
  const put = (file: string, text: string) => writeFileSync(join(project, file), text);

  beforeAll(async () => {
    project = join(folder, 'consumer');
    mkdirSync(project);
    put('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
    await run(
      'npm',
      [
        'install',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--prefer-offline',
        packages['packages/anyhook']!.tarball,
      ],
      { cwd: project },
    );
  }, LONG_MS);

  test('an installation has at most 20 packages and 25 MB, and the docs list each dependency with its cost', () => {
    const modules = join(project, 'node_modules');
    const brought = readdirSync(modules, { recursive: true, encoding: 'utf8' })
      .filter((path) =>
        /(?:^|node_modules[/\\])(?:@[^/\\]+[/\\])?[^/\\@.][^/\\]*[/\\]package\.json$/.test(path),
      )
      .map((path) => dirname(path));
    expect(brought.length).toBeLessThanOrEqual(20);
    expect(megabytesOf(modules)).toBeLessThanOrEqual(25);
    const page = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8');
    const told = [...page.matchAll(/^\| `([^`]+)` +\|.*\| +([\d.]+) MB \|$/gm)];
    const costs: Readonly<Record<string, number>> = Object.fromEntries(
      told.map(([, name, cost]) => [name, Number(cost)]),
    );
    expect(Object.keys(costs)).toEqual(['anyhook', ...Object.keys(manifest.dependencies ?? {})]);
    const wrong = Object.entries(costs).filter(
      ([name, cost]) => Math.abs(megabytesOf(join(modules, name)) - cost) > Math.max(0.3, cost / 5),
    );
    expect(wrong).toEqual([]);
  });

  test('bundled code of other packages has its licences and a line in the docs', () => {
    const notices = readFileSync(
      join(project, 'node_modules/anyhook/dist/THIRD-PARTY-NOTICES.md'),
      'utf8',
    ).split(/^## /m);
    const page = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8');
    const [, carried = ''] = page.split('## What is inside');
    const named = [...carried.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(5);
    for (const name of named)
      expect(notices.find((notice) => notice.startsWith(`${name} `))).toMatch(/licen[cs]e|permission/i);
    const installed = Object.keys(manifest.dependencies ?? {});
    expect(named.filter((name) => installed.includes(name))).toEqual([]);
  });

  test('every module of the export map can be imported and exports something', async () => {
    put(
      'use.mjs',
      `const brought = async (name) => [name, Object.keys(await import(name)).length > 0];
      console.log(JSON.stringify(await Promise.all(${JSON.stringify(modules)}.map(brought))));`,
    );
    const { stdout } = await run(process.execPath, ['use.mjs'], { cwd: project });
    expect(JSON.parse(stdout)).toEqual(modules.map((name) => [name, true]));
  });

  test('the installed package works in the process and with an isolated process', async () => {
    put(
      'use.mjs',
      `import { createHooks, deny } from 'anyhook';
      import { HookManager } from 'anyhook/opta';
      const hooks = await createHooks({
        host: { name: 'consumer', can: { 'tool.before': { deny: 'full' } } },
        hooks: { 'tool.before': ({ payload }) => (payload.tool === 'shell' ? deny('not here') : undefined) },
      });
      const fire = (tool) => hooks.fire({ name: 'tool.before', payload: { tool, input: {} } });
      const verdicts = [(await fire('shell')).verdict, (await fire('read')).verdict];
      await hooks.close();
      const manager = HookManager.create([{ event: 'tool.pre', command: 'echo no >&2; exit 1' }]);
      const context = { event: 'tool.pre', session_id: 's', cwd: process.cwd(), model: 'm', tool_name: 'run_command' };
      const { cancelled, reason } = await manager.fire('tool.pre', context);
      console.log(JSON.stringify({ verdicts, cancelled, reason }));`,
    );
    const env = {
      ...process.env,
      HOME: `${project}-home`,
      XDG_CONFIG_HOME: '',
      XDG_STATE_HOME: '',
      XDG_DATA_HOME: '',
    };
    const { stdout } = await run(process.execPath, ['use.mjs'], { cwd: project, env });
    expect(JSON.parse(stdout)).toEqual({ verdicts: ['deny', 'none'], cancelled: true, reason: 'no' });
  });

  test('a stack trace has files and lines of the source if source maps are enabled', async () => {
    put(
      'use.mjs',
      `import { createHooks } from 'anyhook';
      await createHooks({ nonsense: 1 }).catch((error) => console.log(error.stack));`,
    );
    const { stdout } = await run(process.execPath, ['--enable-source-maps', 'use.mjs'], { cwd: project });
    expect(stdout).toMatch(/anyhook\/src\/[\w/-]+\.ts:\d+:\d+/);
    expect(stdout).not.toContain('anyhook/dist/');
  });

  test('modules outside the export map cannot be imported', async () => {
    put('use.mjs', `await import('anyhook/dist/events/events.js');`);
    await expect(run(process.execPath, ['use.mjs'], { cwd: project })).rejects.toThrow(
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    );
  });

  describe.each(['nodenext', 'bundler'])('its types, resolved as %s does', (resolution) => {
    /** `others` is whether types of other packages are checked too. */
    const check = async (
      text: string,
      more: readonly string[] = [],
      { others = true }: { others?: boolean } = {},
    ): Promise<string> => {
      put('use.ts', text);
      put(
        'tsconfig.json',
        JSON.stringify({
          compilerOptions: {
            module: resolution === 'bundler' ? 'esnext' : resolution,
            moduleResolution: resolution,
            target: 'es2023',
            lib: ['es2023'],
            strict: true,
            exactOptionalPropertyTypes: true,
            noEmit: true,
            skipLibCheck: !others,
            typeRoots: [join(ROOT, 'node_modules/@types')],
            types: ['node'],
          },
          files: ['use.ts', ...more],
        }),
      );
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
      return run(process.execPath, [tsc, '-p', project], { cwd: project }).then(
        ({ stdout }) => stdout,
        (error: { stdout: string }) => error.stdout,
      );
    };

    test(
      'the types of every module of the export map compile and reject wrong use',
      async () => {
        const lines = modules.map((name, i) => `import * as m${i} from '${name}';\nconsole.log(m${i});`);
        put('wrong.ts', `import { createHooks } from 'anyhook';\nawait createHooks({ host: 7 });\n`);
        // Type tests of the sources, applied to the package.
        const options = readFileSync(join(ROOT, 'packages/anyhook/src/gather/options.test-d.ts'), 'utf8');
        put('options.ts', options.replace("'../index.ts'", "'anyhook'"));
        const said = await check(lines.join('\n'), ['wrong.ts', 'options.ts']);
        expect(said.trimEnd().split(/\n(?! )/)).toEqual([
          expect.stringMatching(/^wrong\.ts\(2,\d+\): error TS2769: No overload matches[^]*HostOptions/),
        ]);
      },
      LONG_MS,
    );

    test(
      'the types compile with every TypeScript snippet in the documentation',
      async () => {
        expect(snippets.length).toBeGreaterThan(0);
        put('own.d.ts', readFileSync(join(import.meta.dirname, 'fixtures/docs/reader.d.ts'), 'utf8'));
        const files = snippets.map(([page, text], i) => {
          put(`snippet-${i}.ts`, `// ${page}\n${text}`);
          return `snippet-${i}.ts`;
        });
        // Readers of the AI SDK pages have the SDK installed; others need not.
        const borrowed = ['ai', '@ai-sdk'].map((name) => join('node_modules', name));
        for (const path of borrowed) symlinkSync(join(ROOT, path), join(project, path), 'junction');
        const said = await check('export {};', ['own.d.ts', ...files], { others: false });
        for (const path of borrowed) unlinkSync(join(project, path));
        expect(said).toBe('');
      },
      LONG_MS,
    );
  });

  test('the command has all of its files and needs no others of the repository', () => {
    const { files } = packages['packages/anyhook']!;
    expect(files).toEqual(expect.arrayContaining(['dist/bin/anyhook.cjs', 'dist/node-client.cjs']));
    const needed = files
      .filter((file) => /^dist\/.*\.[cm]?js$/.test(file))
      .flatMap((file) => {
        const text = readFileSync(join(ROOT, 'packages/anyhook', file), 'utf8');
        const named = text.matchAll(/(?:\bfrom|\bimport\(?)["'](\.[^"'\n]+\.[cm]?js)["']/g);
        return [...named].map(([, path]) => join(dirname(file), path!));
      });
    expect(needed.length).toBeGreaterThan(100);
    expect(needed.filter((file) => !packages['packages/anyhook']!.files.includes(file))).toEqual([]);
  });

  test('the command answers an event without a hook and an event that a hook refuses', async () => {
    const home = join(folder, 'home');
    mkdirSync(join(home, '.config/anyhook'), { recursive: true });
    const settings = { hooks: { 'tool.before': [{ match: 'shell', run: 'echo not here >&2; exit 2' }] } };
    writeFileSync(join(home, '.config/anyhook/hooks.json'), JSON.stringify(settings));
    const env = { PATH: process.env['PATH'], HOME: home };
    const fire = (tool_name: string, hook_event_name: string) => {
      const anyhook = join(project, 'node_modules/.bin/anyhook');
      const input = JSON.stringify({
        hook_event_name,
        session_id: 's',
        cwd: project,
        tool_name,
        tool_input: {},
      });
      const { status, stderr } = spawnSync(anyhook, ['fire', '--as', 'claude-code'], {
        env,
        input,
        encoding: 'utf8',
      });
      return [status, stderr];
    };
    expect(fire('Bash', 'PostToolUse')).toEqual([0, '']);
    expect(fire('Bash', 'PreToolUse')).toEqual([2, expect.stringContaining('not here')]);
    expect(fire('Read', 'PreToolUse')).toEqual([0, '']);
  });

  test('a module for pi draws with the terminal library of pi that the agent bundles', async () => {
    put(
      'card.ts',
      `import { visibleWidth } from '@mariozechner/pi-tui';\nexport default (pi) => pi.on('session_start', () => { process.stdout.write(\`wide: \${visibleWidth('\\u4f60')}\`); });\n`,
    );
    put(
      'use.mjs',
      `import { HookRunner, loadHooks } from 'anyhook/oh-my-pi';
      const { hooks, errors } = await loadHooks(['./card.ts'], process.cwd());
      process.stdout.write(errors.map(({ error }) => error).join());
      await new HookRunner(hooks, process.cwd()).emit({ type: 'session_start' });`,
    );
    const told = async () => (await run(process.execPath, ['use.mjs'], { cwd: project })).stdout;
    expect(await told()).not.toContain('wide: 2');
    const beside = join(project, 'node_modules/@anyhook/agent');
    mkdirSync(beside, { recursive: true });
    await run('tar', ['-xzf', packages['packages/agent']!.tarball, '--strip-components=1', '-C', beside]);
    expect([await told(), existsSync(join(project, 'node_modules/@mariozechner'))]).toEqual([
      'wide: 2',
      false,
    ]);
    rmSync(beside, { recursive: true });
  });

  test.skipIf(manifest.bin === undefined)('the agent command exists and prints its help', async () => {
    const { stdout } = await run('npx', ['--no-install', 'anyhook', '--help'], { cwd: project });
    expect(stdout).toMatch(/^Usage: anyhook/);
  });
});
