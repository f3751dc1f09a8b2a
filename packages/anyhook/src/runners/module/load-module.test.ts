import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { ownEntryFile } from './entry-points.mjs';
import { loadModule, MORE_TIME } from './load-module.mjs';

let room = '';
const rooms: string[] = [];
beforeEach(() => void rooms.push((room = mkdtempSync(join(tmpdir(), 'anyhook-module-')))));
afterAll(() =>
  rooms.forEach((folder) => {
    for (const one of [folder, `${folder}-kept`]) rmSync(one, { recursive: true, force: true });
  }),
);

const alias = { anyhook: fileURLToPath(new URL('./fixtures/entry.ts', import.meta.url)) };
function write(name: string, ...lines: string[]): string {
  const file = join(room, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.join('\n'));
  return file;
}
async function exportsOf(file: string): Promise<Record<string, unknown>> {
  const loaded = await loadModule(file, { alias, kept: join(room, '..', `${basename(room)}-kept`) });
  if (!loaded.ok) throw new Error(loaded.problem.message);
  return { ...(loaded.exports as Record<string, unknown>) };
}

describe('a module loads', () => {
  test.each(['a.ts', 'a.mts', 'a.mjs', 'a.js'])(
    'loads as %s, with anyhook in a folder without node_modules',
    async (name) => {
      const file = write(
        name,
        "import { deny } from 'anyhook';",
        'export default deny("no");',
        'export const more = 1;',
      );
      expect(await exportsOf(file)).toEqual({ default: { kind: 'deny', reason: 'no' }, more: 1 });
    },
  );

  test("provides all of Node's and Bun's import.meta", async () => {
    const file = write(
      'meta.ts',
      'const { url, dirname, filename } = import.meta;',
      'export const node: string[] = [url, dirname, filename, import.meta.resolve("./meta.ts")];',
      'export const bun = [import.meta.dir, import.meta.path, import.meta.file, import.meta.main];',
      "export const text: string = 'import.meta.dir';",
    );
    const { href } = pathToFileURL(file);
    expect(await exportsOf(file)).toEqual({
      node: [href, room, file, href],
      bun: [room, file, 'meta.ts', false],
      text: 'import.meta.dir',
    });
  });

  test("provides Bun's import.meta in plain JavaScript and its imports", async () => {
    write('plain/env.mjs', 'export const home = import.meta.env.HOME;');
    write(
      'plain/near.mjs',
      "import { home } from './env.mjs';",
      'export const near = [import.meta.path, home];',
    );
    const file = write(
      'plain/meta.mjs',
      "import { near } from './near.mjs';",
      'if (import.meta.main) throw new Error("nobody started it");',
      'export const bun = [import.meta.dir, import.meta.file, import.meta.main, ...near];',
    );
    expect(await exportsOf(file)).toEqual({
      bun: [join(room, 'plain'), 'meta.mjs', false, join(room, 'plain/near.mjs'), process.env['HOME']],
    });
  });

  test('loads CommonJS', async () => {
    const file = write(
      'a.cjs',
      "const { deny } = require('anyhook');",
      'module.exports = { a: deny("no") };',
    );
    expect(await exportsOf(file)).toEqual({ a: { kind: 'deny', reason: 'no' } });
  });

  test('loads types, top-level await, JSON, neighbours of every kind and its own position', async () => {
    write('data.json', '{ "n": 3 }');
    write('lib/typed.ts', "import { deny } from 'anyhook';", 'export const typed: string = deny().kind;');
    write('lib/plain.mjs', "import { deny } from 'anyhook';", 'export const plain = deny().kind;');
    write('lib/old.cjs', "module.exports = { old: 'cjs' };");
    const file = write(
      'a.ts',
      "import data from './data.json';",
      "import { typed } from './lib/typed.ts';",
      "import { plain } from './lib/plain.mjs';",
      "import { old } from './lib/old.cjs';",
      "import { basename } from 'node:path';",
      'interface Seen { readonly list: readonly unknown[] }',
      'const later = await Promise.resolve(4);',
      'const seen: Seen = { list: [data.n, typed, plain, old, later, basename(import.meta.filename)] };',
      'export default seen satisfies Seen;',
    );
    expect(await exportsOf(file)).toEqual({ default: { list: [3, 'deny', 'deny', 'cjs', 4, 'a.ts'] } });
  });

  test('evaluates the module and its imports again for each load, and each neighbour once per load', async () => {
    const neighbour = (word: string) => write('lib.ts', `export const state = { word: '${word}' };`);
    neighbour('first');
    write('other.ts', "export { state } from './lib.ts';");
    const file = write(
      'a.ts',
      "import { state } from './lib.ts';",
      "import { state as same } from './other.ts';",
      'export default [state.word, state === same];',
    );
    expect(await exportsOf(file)).toEqual({ default: ['first', true] });
    neighbour('second');
    expect(await exportsOf(file)).toEqual({ default: ['second', true] });
  });

  test('leaves no compiled code next to the module', async () => {
    await exportsOf(write('a.ts', 'export const a: number = 1;'));
    expect(readdirSync(room)).toEqual(['a.ts']);
  });

  test('lets Node load what it can, and compiles the rest once per content', async () => {
    const kept = join(room, 'kept');
    write('package.json', '{ "type": "module" }');
    write('plain.js', 'export const plain = import.meta.url;');
    const native = write('native.js', "export { plain } from './plain.js';");
    const mixed = write(
      'mixed.ts',
      "import { plain } from './plain.js';",
      'export const it: string = plain;',
    );
    expect((await loadModule(native, { kept })).ok).toBe(true);
    expect(existsSync(kept)).toBe(false);
    expect((await loadModule(mixed, { kept })).ok).toBe(true);
    const first = readdirSync(kept);
    expect((await loadModule(mixed, { kept })).ok).toBe(true);
    expect([first.length, readdirSync(kept)]).toEqual([1, first]);
  });

  test('loads files that import each other, also concurrently', async () => {
    write('x.ts', "import { y } from './y.ts';", 'export const x = () => y();');
    write('y.ts', "import { x } from './x.ts';", 'export const y = () => typeof x;');
    const file = write(
      'a.ts',
      "const [one, other] = await Promise.all([import('./x.ts'), import('./y.ts')]);",
      'export default [one.x(), other.y()];',
    );
    expect(await exportsOf(file)).toEqual({ default: ['function', 'function'] });
  });

  test('loads code written for bundlers: folders, omitted extensions, undetected CommonJS names', async () => {
    write('package.json', '{ "type": "module" }');
    write('lib/index.js', "export const inFolder = 'folder';");
    write('short.js', "export const short = 'short';");
    write('old.cjs', "const all = { old: 'cjs' };", 'module.exports = all;');
    const file = write(
      'a.js',
      "import { inFolder } from './lib';",
      "import { short } from './short';",
      "import { old } from './old.cjs';",
      'export default [inFolder, short, old];',
    );
    expect(await exportsOf(file)).toEqual({ default: ['folder', 'short', 'cjs'] });
  });

  test('answers imports from the host', async () => {
    const file = write('a.mjs', "import { word } from 'the-host/sub';", 'export default word;');
    const host = (name: string) => (name === 'the-host/sub' ? () => ({ word: 'from the host' }) : undefined);
    expect(await loadModule(file, { host })).toMatchObject({ exports: { default: 'from the host' } });
  });
});

describe('a module that does not load is a problem with its place', () => {
  const problemOf = async (file: string, deadlineMs = 10_000) => {
    const loaded = await loadModule(file, { alias, deadlineMs });
    return loaded.ok ? undefined : loaded.problem;
  };

  test.each(['first.ts', 'first.mjs'])(
    'reports a syntax error at the start of a line in %s',
    async (name) => {
      expect(await problemOf(write(name, 'const a = 1;', '= 2;'))).toMatchObject({ line: 2, column: 1 });
    },
  );

  test.each(['bad.ts', 'bad.mjs'])('reports a syntax error in %s', async (name) => {
    const file = write(name, 'const a = 1;', 'const b = = 2;');
    expect(await problemOf(file)).toEqual({
      code: 'syntax',
      file,
      line: 2,
      column: 11,
      message: 'Unexpected token',
      severity: 'error',
    });
  });

  test("reports a syntax error in a neighbour with the neighbour's name", async () => {
    const neighbour = write('lib.ts', '', 'export const b = = 2;');
    const file = write('a.ts', "import { b } from './lib.ts';", 'export default b;');
    expect(await problemOf(file)).toMatchObject({ code: 'syntax', file: neighbour, line: 2 });
  });

  test('reports a throw without evaluating the module a second time', async () => {
    const count = globalThis as { evaluations?: number };
    count.evaluations = 0;
    const file = write('a.mjs', 'globalThis.evaluations++;', '', "throw new Error('not today');");
    expect(await problemOf(file)).toEqual({
      code: 'not-loaded',
      file,
      line: 3,
      message: 'the module could not be loaded: not today',
      severity: 'error',
    });
    expect(count.evaluations).toBe(1);
    delete count.evaluations;
  });

  test('reports a throw of null', async () => {
    expect(await problemOf(write('a.mjs', 'throw null;'))).toMatchObject({
      message: 'the module could not be loaded: threw null',
    });
  });

  test('reports a missing import', async () => {
    expect(
      await problemOf(write('a.ts', "import x from 'no-such-package-at-all';", 'export default x;')),
    ).toMatchObject({
      code: 'not-loaded',
      message: expect.stringContaining('no-such-package-at-all') as string,
    });
  });

  test('reports a top-level await that never ends', async () => {
    const file = write('a.ts', 'await new Promise(() => {});', 'export default 1;');
    expect(await problemOf(file, 100)).toMatchObject({
      message: 'the module could not be loaded: the module did not finish loading within 100 ms',
    });
  });

  test('reports a missing file, a folder, and a file that is not a module', async () => {
    mkdirSync(join(room, 'folder.ts'));
    const codes = [join(room, 'gone.ts'), join(room, 'folder.ts'), write('a.py', 'pass')].map(
      async (file) => (await problemOf(file))?.code,
    );
    expect(await Promise.all(codes)).toEqual(['file-unreadable', 'file-not-regular', 'bad-value']);
  });

  test('a problem has a remedy: for a deadline, a missing import and an old Node', async () => {
    const waits = write('waits.mjs', 'await new Promise(() => {});');
    expect(await loadModule(waits, { deadlineMs: 50 })).toMatchObject({
      problem: { remedy: MORE_TIME },
    });
    expect(await problemOf(write('gone.mjs', "import 'no-such-package-at-all';"))).toMatchObject({
      remedy: 'Install the packages that it imports.',
    });
    write('package.json', '{ "engines": { "node": ">=99" } }');
    expect(await problemOf(write('new.mjs', "import 'node:no-such-part-of-node';"))).toMatchObject({
      remedy: `This is Node ${process.versions.node}; its package requires >=99. Use a newer Node.`,
    });
  });

  test('the breakage names file and line', async () => {
    const file = write('a.ts', 'const a = = 1;');
    expect(await loadModule(file)).toMatchObject({
      breakage: { kind: 'not-loaded', detail: `${file}:1: Unexpected token` },
    });
  });
});

test("a built-in module has the same exports as with Node's own import", async () => {
  const names = ['node:fs', 'path', 'node:events', 'node:assert'];
  const file = write(
    'built-in.ts',
    ...names.map((name, at) => `import * as m${at} from '${name}'; export { m${at} };`),
    "import fs, { readFileSync } from 'node:fs'; export const isOne: boolean = fs.readFileSync === readFileSync;",
  );
  const exports = await exportsOf(file);
  for (const [at, name] of names.entries()) {
    const native = (await import(name)) as Record<string, unknown>;
    const taken = exports[`m${at}`] as Record<string, unknown>;
    expect(new Set(Object.keys(taken))).toEqual(new Set(Object.keys(native)));
    for (const key of Object.keys(native)) expect(taken[key]).toBe(native[key]);
  }
  expect(exports['isOne']).toBe(true);
});

test('the front door has a file for every name that the package exports, if it is built', () => {
  const { exports } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    exports: Record<string, unknown>;
  };
  const names = Object.keys(exports).filter((key) => typeof exports[key] === 'object');
  for (const name of names) {
    expect(`anyhook${name.slice(1)}`).toMatch(/^anyhook(\/[a-z-]+)?$/);
    expect(ownEntryFile(`anyhook${name.slice(1)}`)).toMatch(/[/\\](src|dist)[/\\].+\.(ts|js)$/);
  }
  expect(ownEntryFile('anyhook/none')).toBe(undefined);
  expect(ownEntryFile('constructor')).toBe(undefined);
});

describe('the time to load', () => {
  /** So many files that compiling them takes longer than the module may take. None of them does anything. */
  function manyFiles(last: string, count = 60): string {
    const types = Array.from({ length: 400 }, (_, i) => `export type T${i} = { a: string; b?: T${i} };`);
    const names = Array.from({ length: count }, (_, i) => `part-${i}.ts`);
    for (const name of names) write(name, ...types, `export const from: string = '${name}';`);
    return write('many.ts', ...names.map((name) => `import './${name}';`), last);
  }

  test('compile time does not count towards the load deadline', async () => {
    const file = manyFiles('export const done = true;');
    const kept = `${room}-kept`;
    const started = performance.now();
    const first = await loadModule(file, { kept, deadlineMs: 1_000 });
    expect(first.ok && first.exports).toMatchObject({ done: true });
    expect(performance.now() - started).toBeGreaterThan(1_000); // otherwise nothing was tested
  }, 120_000);

  test('a module that hangs after compilation misses its deadline', async () => {
    const loaded = await loadModule(manyFiles('await new Promise(() => {});', 15), { deadlineMs: 200 });
    expect(loaded.ok ? undefined : loaded.problem).toMatchObject({
      message: 'the module could not be loaded: the module did not finish loading within 200 ms',
      remedy: MORE_TIME,
    });
  }, 120_000);
});
