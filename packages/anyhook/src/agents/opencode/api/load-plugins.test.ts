import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { scratch } from './fixtures/scratch.ts';
import type { Plugins } from './plugins.ts';

const ground = scratch();
afterAll(ground.remove);

/** Lists the loaded plugins by their output. */
const names = async (plugins: Plugins): Promise<string[]> =>
  (
    (await plugins.trigger('shell.env', { cwd: '/' }, {
      env: { names: [] as string[] },
    } as never)) as never as {
      env: { names: string[] };
    }
  ).env.names;
const named = (name: string): string =>
  `async (input, options) => ({ 'shell.env': (i, output) => { output.env.names.push(${name}); } })`;
const plugin = (name: string): string => `export default ${named(JSON.stringify(name))};`;

describe('plugin names', () => {
  test('plugins are named by relative and absolute paths, file URLs, home folder, folders and packages', async () => {
    const absolute = ground.write('named/absolute.ts', plugin('absolute'));
    const address = ground.write('named/with space.mjs', plugin('address'));
    ground.write('home/mine.js', plugin('home'));
    ground.write('named/relative.ts', plugin('relative'));
    ground.write('named/folder/index.ts', plugin('folder'));
    ground.write(
      'node_modules/plain/package.json',
      '{ "name": "plain", "main": "./start.js", "type": "module" }',
    );
    ground.write('node_modules/plain/start.js', plugin('plain'));
    ground.write('node_modules/@scoped/one/package.json', '{ "exports": { ".": { "import": "./i.mjs" } } }');
    ground.write('node_modules/@scoped/one/i.mjs', plugin('scoped'));
    ground.write('home/.config/opencode/node_modules/far/package.json', '{ "main": "index.mjs" }');
    ground.write('home/.config/opencode/node_modules/far/index.mjs', plugin('far'));
    ground.write('home/.cache/opencode/node_modules/cached/index.js', plugin('cached'));
    const specs = [
      './named/relative.ts',
      absolute,
      pathToFileURL(address).href,
      '~/mine.js',
      './named/folder',
      'plain@1.2.3',
      '@scoped/one',
      'far',
      'cached@latest',
    ];
    const plugins = await ground.load(specs, { env: {} });
    expect(plugins.problems).toEqual([]);
    expect(await names(plugins)).toEqual([
      'relative',
      'absolute',
      'address',
      'home',
      'folder',
      'plain',
      'scoped',
      'far',
      'cached',
    ]);
  });

  test('a package starts at its ./server, then at its main, then like in Node', async () => {
    const files = { 's.mjs': plugin('server'), 'm.mjs': plugin('main'), 'd.mjs': plugin('dot') };
    const about = {
      'entry-server': { exports: { '.': './d.mjs', './server': { import: './s.mjs' } }, main: 'm.mjs' },
      'entry-main': { exports: { '.': './d.mjs' }, main: 'm.mjs' },
      'entry-dot': { exports: { '.': { node: { import: './d.mjs' } } } },
      'entry-text': { exports: './d.mjs' },
    };
    for (const [name, json] of Object.entries(about)) {
      ground.write(`node_modules/${name}/package.json`, JSON.stringify({ name, ...json }));
      for (const [file, text] of Object.entries(files)) ground.write(`node_modules/${name}/${file}`, text);
    }
    const plugins = await ground.load(Object.keys(about));
    expect(plugins.problems).toEqual([]);
    expect(await names(plugins)).toEqual(['server', 'main', 'dot', 'dot']);
  });

  test.each([
    ['by its main', { main: '../../outside.mjs' }],
    ['by ./server', { exports: { './server': '../../outside.mjs' } }],
    ['by a link inside it', { main: './link.mjs' }],
  ])('a package whose entry is outside by %s is refused', async (how, json) => {
    const name = `escapes-${how.replaceAll(/\W/g, '')}`.toLowerCase();
    const outside = ground.write('outside.mjs', plugin('outside'));
    ground.write(`node_modules/${name}/package.json`, JSON.stringify(json));
    symlinkSync(outside, join(ground.root, 'node_modules', name, 'link.mjs'));
    const plugins = await ground.load([name]);
    expect(plugins.hooks).toEqual([]);
    expect(plugins.problems).toMatchObject([{ code: 'not-loaded', key: 'plugins[0]', severity: 'error' }]);
    expect(plugins.problems[0]?.message).toMatch(/its entry .* is outside /);
  });

  test('a linked package, as in a workspace, is accepted', async () => {
    ground.write('elsewhere/linked/package.json', '{ "main": "a.mjs" }');
    ground.write('elsewhere/linked/a.mjs', plugin('linked'));
    mkdirSync(join(ground.root, 'node_modules'), { recursive: true });
    symlinkSync(join(ground.root, 'elsewhere/linked'), join(ground.root, 'node_modules/linked'));
    expect(await names(await ground.load(['linked']))).toEqual(['linked']);
  });

  test('options are passed to the plugin as a separate copy in its second argument', async () => {
    const file = ground.write(
      'options.ts',
      `export default async (input, options) => {
         options.list.push('mine');
         return { 'shell.env': (i, output) => { output.env.names.push(options); } };
       };`,
    );
    const options = { list: ['given'] };
    const plugins = await ground.load([[file, options]]);
    expect(await names(plugins)).toEqual([{ list: ['given', 'mine'] }]);
    expect(options).toEqual({ list: ['given'] });
  });

  test('of two declarations the last one counts, at its own position', async () => {
    const file = ground.write('twice.ts', `export default ${named('options.n')};`);
    const other = ground.write('other.ts', plugin('other'));
    const plugins = await ground.load([[file, { n: 1 }], other, [pathToFileURL(file).href, { n: 2 }]]);
    expect(await names(plugins)).toEqual(['other', 2]);
  });

  test('a package named with two versions is one package', async () => {
    ground.write('node_modules/versions/index.js', plugin('versions'));
    expect(await names(await ground.load(['versions@1', 'versions@2']))).toEqual(['versions']);
  });

  test.each([
    [42, 'wrong-type', 'a plugin is named by a string, not by a number'],
    [null, 'wrong-type', 'a plugin is named by a string, not by null'],
    [undefined, 'wrong-type', 'a plugin is named by a string, not by an undefined'],
    [[], 'wrong-type', 'a plugin is named by a string, not by an undefined'],
    ['  ', 'wrong-type', 'a plugin has an empty name'],
    [['./a.ts', 'text'], 'wrong-type', 'the options of ./a.ts are an object, not a string'],
    [['./a.ts', {}, 1], 'wrong-type', 'a pair has two parts, not 3'],
    ['./no-such-file.ts', 'file-unreadable', /no-such-file\.ts does not exist/],
    ['not-installed', 'not-loaded', 'plugin "not-installed": not-installed is not installed'],
    ['git+https://example.com/a.git', 'bad-value', /the package name is missing/],
    ['file://remote/a.ts', 'bad-value', /invalid file URL/],
    ['./home', 'file-not-regular', /has no entry point and no index file/],
  ])('%j is a problem, and the next plugin is loaded', async (entry, code, message) => {
    const good = ground.write('good.ts', plugin('good'));
    const plugins = await ground.load([entry as never, good]);
    expect(plugins.problems).toMatchObject([
      {
        code,
        key: 'plugins[0]',
        severity: 'error',
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      },
    ]);
    expect(await names(plugins)).toEqual(['good']);
  });

  test('an empty list gives no plugins and no problem', async () => {
    const plugins = await ground.load([]);
    expect([plugins.hooks, plugins.tools, plugins.auth, plugins.problems]).toEqual([[], {}, [], []]);
  });
});

describe('module exports', () => {
  const exported = async (text: string, extension = 'ts') => {
    const file = ground.write(`exports-${++count}.${extension}`, text);
    const plugins = await ground.load([file]);
    const problems = plugins.problems.map(({ message }) => message);
    const severities = plugins.problems.map(({ severity }) => severity);
    return { names: await names(plugins), problems, severities, file };
  };
  let count = 0;

  test.each([
    ['a default function', plugin('a'), ['a']],
    ['a named function', `export const Mine = ${named('"b"')};`, ['b']],
    ['several named functions', `export const A = ${named('1')}; export const B = ${named('2')};`, [1, 2]],
    ['one function twice', `export const A = ${named('1')}; export default A;`, [1]],
    [
      'a function that is not async',
      `export default () => ({ 'shell.env': (i, o) => { o.env.names.push('s'); } });`,
      ['s'],
    ],
    ['the object form', `export default { id: 'mine', server: ${named('"v1"')} };`, ['v1']],
    [
      'the object form beside functions',
      `export const other = ${named('1')}; export default { id: 'x', server: ${named('2')} };`,
      [2],
    ],
    ['the object form under a name', `export const mine = { id: 'x', server: ${named('3')} };`, [3]],
  ])('an export with %s is a plugin', async (_, text, expected) => {
    const { names: found, problems } = await exported(text);
    expect([found, problems]).toEqual([expected, []]);
  });

  test.each([
    ['a function', `module.exports = ${named('"c"')};`, ['c']],
    ['an object of functions', `exports.A = ${named('1')}; exports.B = ${named('2')};`, [1, 2]],
  ])('CommonJS that exports %s is a plugin', async (_, text, expected) => {
    const { names: found, problems } = await exported(text, 'cjs');
    expect([found, problems]).toEqual([expected, []]);
  });

  test.each([
    ['nothing', 'const a = 1;', 'the module exports nothing'],
    [
      'a number beside a plugin',
      `export const VERSION = 1; ${plugin('x')}`,
      'the export "VERSION" is not a plugin but number',
    ],
    [
      'an object form without an id',
      `export default { server: ${named('1')} };`,
      /the export "default" needs an id/,
    ],
    [
      'server and tui',
      `export default { id: 'x', server() {}, tui() {} };`,
      /has both server\(\) and tui\(\)/,
    ],
    ['tui alone', `export default { id: 'x', tui() {} };`, /is for OpenCode's own terminal only/],
    [
      'a server that is no function',
      `export default { id: 'x', server: 1 };`,
      /needs a function as server, not number/,
    ],
    ['an empty id', `export default { id: '', server() {} };`, /needs a string as id, not an empty one/],
  ])('a plugin fails if its module exports %s', async (_, text, message) => {
    const { names: found, problems, file } = await exported(text);
    expect(found).toEqual([]);
    expect(problems).toEqual([
      typeof message === 'string'
        ? `plugin ${JSON.stringify(file)}: ${message}`
        : expect.stringMatching(message),
    ]);
  });

  test('a helper that throws next to a working plugin is a warning that names the export', async () => {
    const {
      names: found,
      problems,
      severities,
    } = await exported(`export const parseRule = (text) => text.split(','); ${plugin('real')}`);
    expect([found, severities]).toEqual([['real'], ['warning']]);
    expect(problems).toEqual([expect.stringContaining('the export "parseRule" threw')]);
  });

  test('a second plugin that throws when it starts stays an error', async () => {
    for (const broken of [
      `export const GuardPlugin = async () => { throw new Error('no'); };`,
      `export const Guard = async ({ client, $ }) => { throw new Error('no'); };`,
    ]) {
      const { names: found, severities } = await exported(`${broken} ${plugin('real')}`);
      expect([found, severities]).toEqual([['real'], ['error']]);
    }
  });

  test('a helper next to a plugin without hooks is no problem', async () => {
    const { names: found, problems } = await exported(`export const helper = (x) => x; ${plugin('real')}`);
    expect([found, problems]).toEqual([['real'], []]);
  });

  test.each(['undefined', 'null', '[]', '"text"', '42', '() => {}'])(
    'a plugin that returns %s is a problem',
    async (value) => {
      const { problems, file } = await exported(`export default async () => (${value});`);
      expect(problems).toEqual([`plugin ${JSON.stringify(file)}: the export "default" returned no hooks`]);
    },
  );

  test('a hook with a misspelt name or a wrong type is reported, and the others work', async () => {
    const file = ground.write(
      'typos.ts',
      `export default async () => ({
         'tool.execute.befor': () => {},
         'chat.message': 'not a function',
         tool: { broken: { description: 'x' }, whole: { description: 'y', args: {}, execute: async () => 'ok' } },
         auth: { provider: 1 },
         'shell.env': (i, output) => { output.env.names.push('works'); },
       });`,
    );
    const plugins = await ground.load([file]);
    expect(
      plugins.problems.map(({ code, key, message, severity }) => [code, key, message, severity]),
    ).toEqual([
      [
        'unknown-key',
        'tool.execute.befor',
        'unknown hook "tool.execute.befor"; did you mean "tool.execute.before"?',
        'warning',
      ],
      ['wrong-type', 'chat.message', 'it is a function, not a string', 'error'],
      ['wrong-type', 'tool.broken', 'its execute is a function, not nothing', 'error'],
      ['wrong-type', 'auth', 'it needs the provider it is for, and a list of methods', 'error'],
    ]);
    expect(await names(plugins)).toEqual(['works']);
    expect(Object.keys(plugins.tools)).toEqual(['whole']);
  });
});

describe('plugin failures', () => {
  test('failures to import and to start are reported with file and line, and the others keep their order', async () => {
    const first = ground.write('order/first.ts', plugin('first'));
    const syntax = ground.write('order/syntax.ts', 'export default async () => ({\n  a: (,\n});');
    const missing = ground.write('order/missing.ts', "import { x } from './nowhere.ts';\nexport default x;");
    const throws = ground.write('order/throws.ts', "const a = 1;\nthrow new Error('at import');");
    const init = ground.write(
      'order/init.ts',
      "export default async () => {\n  throw new Error('at init');\n};",
    );
    const last = ground.write('order/last.ts', plugin('last'));
    const plugins = await ground.load([first, syntax, missing, throws, init, last]);
    expect(await names(plugins)).toEqual(['first', 'last']);
    expect(plugins.problems).toMatchObject([
      { code: 'syntax', file: syntax, line: 2, severity: 'error' },
      { code: 'not-loaded', file: missing, message: expect.stringContaining('nowhere.ts') as string },
      { code: 'not-loaded', file: throws, line: 2, message: expect.stringContaining('at import') as string },
      {
        code: 'not-loaded',
        file: init,
        line: 2,
        message: `plugin ${JSON.stringify(init)}: the export "default" threw: at init`,
      },
    ]);
  });

  test('a plugin that never starts is abandoned at the deadline', async () => {
    const never = ground.write('never.ts', 'export default () => new Promise(() => {});');
    const waits = ground.write('waits.ts', 'await new Promise(() => {});\nexport default async () => ({});');
    const good = ground.write('good.ts', plugin('good'));
    const plugins = await ground.load([never, waits, good], { timeoutMs: 1000 });
    expect(await names(plugins)).toEqual(['good']);
    expect(plugins.problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/the plugin .*never\.ts \(default\) did not answer within 1000 ms/),
      expect.stringMatching(/did not finish loading within 1000 ms/),
    ]);
  });
});
