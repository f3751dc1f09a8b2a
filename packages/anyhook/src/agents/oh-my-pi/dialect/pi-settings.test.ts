import { expect, test } from 'vitest';
import { moduleFinder } from './index.ts';
import { config } from './pi-settings.ts';

const WHERE = { home: '/h', cwd: '/p', env: {} };
const USER = { layer: 'user', file: '/h/.pi/agent/settings.json' } as const;

test("pi's settings are read from pi's locations", () => {
  expect(config.places(WHERE)).toEqual([
    USER,
    { layer: 'project', file: '/p/.pi/settings.json', folder: '/p' },
  ]);
  expect(config.places({ ...WHERE, env: { PI_CODING_AGENT_DIR: '~/elsewhere' } })[0]?.file).toBe(
    '/h/elsewhere/settings.json',
  );
});

test('packages and extensions are listed with their lines, and other keys are ignored', () => {
  const text = `{
  "theme": "dark",
  "packages": ["npm:a@1", { "source": "./b", "extensions": ["x.ts"] }],
  "extensions": ["./c.ts", "-extensions/d.ts"]
}`;
  expect(config.read(text, USER)).toEqual({
    hooks: [],
    modules: [
      { file: 'npm:a@1', place: USER, line: 3 },
      { file: './b', place: USER, line: 3, options: { extensions: ['x.ts'] } },
      { file: './c.ts', place: USER, line: 4 },
      { file: '-extensions/d.ts', place: USER, line: 4 },
    ],
    problems: [],
  });
});

test('an invalid list of sources is reported with a remedy', () => {
  const { modules, problems } = config.read('{ "packages": { "a": 1 }, "extensions": [7] }', USER);
  expect([modules, problems.map(({ key, message, remedy }) => [key, message, remedy])]).toEqual([
    [],
    [
      [
        'packages',
        'is {"a":1}; expected a list.',
        'Write a list of sources: ["npm:a-package", "./a-folder"].',
      ],
      ['extensions[0]', 'is 7.', 'Write a list of sources: ["npm:a-package", "./a-folder"].'],
    ],
  ]);
});

const list = (folders: Readonly<Record<string, readonly string[]>>) => (folder: string) =>
  folders[folder] ?? [];
const found = (folders: Readonly<Record<string, readonly string[]>>, text: string) => {
  const { modules } = config.read(text, USER);
  const theirs = moduleFinder.find({ ...WHERE, list: list(folders) }, modules);
  return { modules: theirs.modules, problems: theirs.problems };
};

test('folders come first, user before project, with the patterns for them', () => {
  const folders = {
    '/h/.pi/agent/extensions': ['a.ts'],
    '/p/.pi/extensions': ['b'],
    '/p/.omp/extensions': ['c.ts'],
  };
  const at = (folder: string, layer: string, patterns: readonly string[] = []) => ({
    file: folder,
    layer,
    asker: { file: folder, line: 1 },
    select: { from: 'folder', patterns },
  });
  expect(found(folders, '{ "extensions": ["-extensions/a.ts"] }').modules).toEqual([
    at('/h/.pi/agent/extensions', 'user', ['-extensions/a.ts']),
    at('/p/.pi/extensions', 'project'),
    at('/p/.omp/extensions', 'project'),
  ]);
});

test.each([
  ['npm:@scope/a@^1.0.0', '/h/.pi/agent/npm/node_modules/@scope/a'],
  ['git:github.com/a/b@v1', '/h/.pi/agent/git/github.com/a/b'],
  ['https://github.com/a/b.git', '/h/.pi/agent/git/github.com/a/b'],
  ['git@github.com:a/b', '/h/.pi/agent/git/github.com/a/b'],
  ['./near', '/h/.pi/agent/near'],
  ['~/own.ts', '/h/own.ts'],
])('%s is resolved to its install folder', (source, file) => {
  const folders = { [file]: ['package.json'] };
  expect(found(folders, JSON.stringify({ packages: [source] })).modules.map((one) => one.file)).toEqual([
    file,
  ]);
});

test('a package that is not installed is a problem with the command that installs it', () => {
  expect(found({}, '{ "packages": ["npm:a"] }').problems).toEqual([
    {
      code: 'not-loaded',
      file: USER.file,
      line: 1,
      key: 'packages',
      message: 'the package "npm:a" is not installed',
      remedy: 'Install it: pi install npm:a',
      severity: 'error',
    },
  ]);
});
