import { describe, expect, test } from 'vitest';
import type { Locations, NamedModule } from '../../../events/dialect.ts';
import type { Layer } from '../../../events/hook.ts';
import { moduleFinder } from './module-finder.ts';

const USER = '/home/u/.config/opencode/opencode.json';
const PROJECT = '/code/p/opencode.json';
const ground = (
  folders: Readonly<Record<string, readonly string[]>>,
  env: Locations['env'] = {},
): Locations => ({
  home: '/home/u',
  cwd: '/code/p',
  env,
  list: (folder) => folders[folder] ?? [],
});
const named = (file: string, layer: Layer, line = 1, options?: unknown): NamedModule => ({
  file,
  place: { layer, file: layer === 'user' ? USER : PROJECT },
  line,
  ...(options !== undefined && { options }),
});
const filesOf = (found: ReturnType<typeof moduleFinder.find>): string[] =>
  found.modules.map(({ file }) => file);

describe('finding plugins', () => {
  test("plugins are found in both lists and both kinds of folder, in OpenCode's order", () => {
    const found = moduleFinder.find(
      ground({
        '/home/u/.config/opencode/plugin': ['b.ts', 'a.js', 'types.d.ts', '.hidden.ts', 'readme.md'],
        '/home/u/.config/opencode/plugins': ['c.ts'],
        '/code/p/.opencode/plugin': ['d.ts'],
        '/code/p/.opencode/plugins': ['e.js'],
      }),
      [named('./mine.ts', 'user', 3), named('./tools/theirs.ts', 'project', 4, { a: 1 })],
    );
    expect(found).toEqual({
      problems: [],
      modules: [
        { file: '/home/u/.config/opencode/mine.ts', layer: 'user', asker: { file: USER, line: 3 } },
        {
          file: '/code/p/tools/theirs.ts',
          layer: 'project',
          asker: { file: PROJECT, line: 4 },
          options: { a: 1 },
        },
        ...['plugin/a.js', 'plugin/b.ts', 'plugins/c.ts'].map((path) => {
          const file = `/home/u/.config/opencode/${path}`;
          return { file, layer: 'user', asker: { file, line: 1 } };
        }),
        ...['plugin/d.ts', 'plugins/e.js'].map((path) => {
          const file = `/code/p/.opencode/${path}`;
          return { file, layer: 'project', asker: { file, line: 1 } };
        }),
      ],
    });
  });

  test('plugins are found as folders with package layout', () => {
    const home = '/home/u/.config/opencode/plugins';
    const found = moduleFinder.find(
      ground({
        [home]: ['notes', 'one', 'two'],
        [`${home}/one`]: ['package.json', 'dist'],
        [`${home}/two`]: ['index.ts'],
        [`${home}/notes`]: ['todo.md'],
      }),
      [],
    );
    expect(filesOf(found)).toEqual([`${home}/one`, `${home}/two`]);
  });

  test.each([
    ['~/x.ts', '/home/u/x.ts'],
    ['/abs/x.ts', '/abs/x.ts'],
    ['file:///abs/with%20space.ts', '/abs/with space.ts'],
    ['../up.ts', '/code/up.ts'],
    ['plain', '/code/p/node_modules/plain'],
    ['plain@1.2.3', '/code/p/node_modules/plain'],
    ['plain@npm:other@2', '/code/p/node_modules/plain'],
    ['@scope/one@latest', '/code/node_modules/@scope/one'],
    ['cached', '/home/u/.cache/opencode/node_modules/cached'],
    ['global', '/home/u/.config/opencode/node_modules/global'],
  ])('%s names %s', (spec, file) => {
    const folders = {
      '/code/p/node_modules': ['plain'],
      '/code/node_modules/@scope': ['one'],
      '/home/u/.cache/opencode/node_modules': ['cached'],
      '/home/u/.config/opencode/node_modules': ['global'],
    };
    expect(filesOf(moduleFinder.find(ground(folders), [named(spec, 'project')]))).toEqual([file]);
  });

  test.each(['missing', 'missing@2', 'git+https://example.com/x.git', 'file://elsewhere/x.ts'])(
    'the missing plugin %s is a problem where it is named',
    (spec) => {
      expect(moduleFinder.find(ground({}), [named(spec, 'user', 7)])).toMatchObject({
        modules: [],
        problems: [
          {
            code: 'not-loaded',
            file: USER,
            line: 7,
            message: `the plugin ${JSON.stringify(spec)} is not installed`,
            severity: 'error',
          },
        ],
      });
    },
  );
});

describe('a plugin that is named twice', () => {
  const installed = ground({ '/home/u/.config/opencode/node_modules': ['a', 'b'] });

  test('a plugin that is named twice runs once: the last declaration counts, at its own position', () => {
    const found = moduleFinder.find(installed, [
      named('a@1', 'user', 1, { n: 1 }),
      named('b', 'user', 2),
      named('a@2', 'user', 3, { n: 2 }),
    ]);
    expect(found.modules.map(({ file, options }) => [file.split('/').at(-1), options])).toEqual([
      ['b', undefined],
      ['a', { n: 2 }],
    ]);
  });

  test('a plugin that user and project name runs as the user configured it, and a problem reports it', () => {
    const found = moduleFinder.find(installed, [
      named('a', 'user', 1, { strict: true }),
      named('a', 'project', 5, { strict: false }),
    ]);
    expect(found.modules).toMatchObject([{ layer: 'user', options: { strict: true } }]);
    expect(found.problems).toMatchObject([
      { code: 'duplicate-hook', file: PROJECT, line: 5, severity: 'warning' },
    ]);
  });
});

test('with OPENCODE_PURE nothing is loaded, and problems explain why', () => {
  const found = moduleFinder.find(ground({ '/code/p/.opencode/plugin': ['d.ts'] }, { OPENCODE_PURE: '1' }), [
    named('./a.ts', 'user'),
  ]);
  expect(found.modules).toEqual([]);
  expect(found.problems).toMatchObject([{ file: USER, severity: 'warning' }]);
});
