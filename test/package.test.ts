/** What a consumer gets: the packed tarballs, installed in an empty folder. Needs the built packages (`npm test` builds). */
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

/** Without its scripts: `prepack` would build again, under the feet of the tests that run beside this one. */
async function pack(folder: string, into: string): Promise<Packed> {
  if (!existsSync(join(ROOT, folder, 'dist')))
    throw new Error(`${folder} is not built: run 'npm run build' first`);
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', into], {
    cwd: join(ROOT, folder),
  });
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  return { tarball: join(into, packed!.filename), files: packed!.files.map((file) => file.path) };
}

/** On a disk of blocks of 4 KB, whatever this one has. */
function megabytesOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const blocks = entries.map((entry) =>
    entry.isFile() ? Math.ceil(statSync(join(entry.parentPath, entry.name)).size / 4096) : 1,
  );
  return (blocks.reduce((sum, count) => sum + count, 0) * 4096) / 1e6;
}

/** Every file that the manifest promises to who imports or runs it. */
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
  test('holds what its manifest promises, its licence and its readme', () => {
    expect(packages[name]!.files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', ...promised(manifestOf(name))]),
    );
  });

  test('holds no sources, tests or fixtures', () => {
    const unwanted = packages[name]!.files.filter(
      (file) => !/^(?:dist\/sets|recipes)\//.test(file) && NOT_FOR_USERS.some((sign) => sign.test(file)), // they come with their cases
    );
    expect(unwanted).toEqual([]);
  });

  test('holds nothing whose source is gone', () => {
    const made = packages[name]!.files.filter((file) =>
      /^dist\/(?!chunks\/|view\/|sets\/|node-client\.cjs|THIRD-PARTY)/.test(file),
    ); // chunks and the page of the view are made of many files, the others are copies
    const orphans = made.filter((file) => {
      const source = file.replace(/^dist\//, 'src/');
      const stem = source.replace(/(?:(\.d)?\.m?[jt]s|\.m?js\.map)$/, '');
      return ![source, `${stem}.ts`, `${stem}.mts`, `${stem}.mjs`].some((from) =>
        existsSync(join(ROOT, name, from)),
      );
    });
    expect(orphans).toEqual([]);
  });

  test('has its commands in every clone: npm links only what is there before the build', async () => {
    const commands = Object.values(manifestOf(name).bin ?? {});
    const { stdout } = await run('git', ['ls-files', ...commands], { cwd: join(ROOT, name) });
    expect(stdout.trim().split('\n')).toEqual(commands.map((file) => file.replace(/^\.\//, '')));
  });

  test('is built before it is packed', () => {
    expect(manifestOf(name).scripts).toMatchObject({ prepack: expect.stringContaining('npm run build') });
  });

  test('depends on published versions, not on places of this repository', () => {
    const local = Object.entries(manifestOf(name).dependencies ?? {}).filter(
      ([, range]) => !/^[\^~]?\d+\.\d+\.\d+$/.test(range),
    );
    expect(local).toEqual([]);
  });

  test('is clean under publint', async () => {
    const tarball = new Uint8Array(readFileSync(packages[name]!.tarball)).buffer;
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });
});

/** [page, text]: every whole program of the documentation, known by what it imports. */
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

test('the package of anyhook, source maps included, has at most 2 MB', () => {
  expect(statSync(packages['packages/anyhook']!.tarball).size).toBeLessThanOrEqual(2_000_000);
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

  test('it brings at most 20 packages and 25 MB, and each dependency has its line, with what it costs, in the docs', () => {
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

  test('what it carries of other packages comes with their licences, and has its line in the docs', () => {
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

  test('every module of the export map is imported and brings something', async () => {
    put(
      'use.mjs',
      `const brought = async (name) => [name, Object.keys(await import(name)).length > 0];
      console.log(JSON.stringify(await Promise.all(${JSON.stringify(modules)}.map(brought))));`,
    );
    const { stdout } = await run(process.execPath, ['use.mjs'], { cwd: project });
    expect(JSON.parse(stdout)).toEqual(modules.map((name) => [name, true]));
  });

  test('it does its work there: in the process, and with a process of its own', async () => {
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

  test('a stack trace names files and lines of the source where source maps are enabled', async () => {
    put(
      'use.mjs',
      `import { createHooks } from 'anyhook';
      await createHooks({ nonsense: 1 }).catch((error) => console.log(error.stack));`,
    );
    const { stdout } = await run(process.execPath, ['--enable-source-maps', 'use.mjs'], { cwd: project });
    expect(stdout).toMatch(/anyhook\/src\/[\w/-]+\.ts:\d+:\d+/);
    expect(stdout).not.toContain('anyhook/dist/');
  });

  test('what the export map does not name cannot be imported', async () => {
    put('use.mjs', `await import('anyhook/dist/events/events.js');`);
    await expect(run(process.execPath, ['use.mjs'], { cwd: project })).rejects.toThrow(
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    );
  });

  describe.each(['nodenext', 'bundler'])('its types, resolved as %s does', (resolution) => {
    /** `others`: whether packages that are not ours are looked into as well. */
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
      'compile, for every module of the export map; and are real: only a wrong use does not',
      async () => {
        const lines = modules.map((name, i) => `import * as m${i} from '${name}';\nconsole.log(m${i});`);
        put('wrong.ts', `import { createHooks } from 'anyhook';\nawait createHooks({ host: 7 });\n`);
        // What must compile and what must not, as the sources have it, of the package.
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
      'compile, with every piece of TypeScript that the documentation shows',
      async () => {
        expect(snippets.length).toBeGreaterThan(0);
        put('own.d.ts', readFileSync(join(import.meta.dirname, 'fixtures/docs/reader.d.ts'), 'utf8'));
        const files = snippets.map(([page, text], i) => {
          put(`snippet-${i}.ts`, `// ${page}\n${text}`);
          return `snippet-${i}.ts`;
        });
        // Who reads about the AI SDK has it; who only imports the rest need not.
        const borrowed = ['ai', '@ai-sdk'].map((name) => join('node_modules', name));
        for (const path of borrowed) symlinkSync(join(ROOT, path), join(project, path), 'junction');
        const said = await check('export {};', ['own.d.ts', ...files], { others: false });
        for (const path of borrowed) unlinkSync(join(project, path));
        expect(said).toBe('');
      },
      LONG_MS,
    );
  });

  test('the files behind its command are all there, and need no others of the repository', () => {
    const { files } = packages['packages/anyhook']!;
    expect(files).toEqual(expect.arrayContaining(['dist/bin/anyhook.cjs', 'dist/node-client.cjs']));
    const needed = files
      .filter((file) => /^dist\/.*\.[cm]?js$/.test(file))
      .flatMap((file) => {
        const text = readFileSync(join(ROOT, 'packages/anyhook', file), 'utf8');
        const named = [
          ...text.matchAll(/^(?:import|export)\b.*["'](\.[^"']+)["'];?$/gm),
          ...text.matchAll(/(?:await |=> )import\(["'](\.[^"']+)["']\)/g),
        ];
        return named.map(([, path]) => join(dirname(file), path!));
      });
    expect(needed.length).toBeGreaterThan(100);
    expect(needed.filter((file) => !packages['packages/anyhook']!.files.includes(file))).toEqual([]);
  });

  test('its command answers an event: one that nobody listens to, and one that a hook refuses', async () => {
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

  test("beside the agent, a module written for pi draws with pi's own terminal library, which nobody installed", async () => {
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

  test.skipIf(manifest.bin === undefined)('the command is there and says what it can do', async () => {
    const { stdout } = await run('npx', ['--no-install', 'anyhook', '--help'], { cwd: project });
    expect(stdout).toMatch(/^Usage: anyhook/);
  });
});
