/**
 * `dist` of `anyhook`: every public module, every program and every module that is imported by its path stays at its place;
 * what they share goes to `dist/chunks`. Packages that users need not install are taken in. Runs in the folder of the package.
 */

import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import { giveNotice } from './notices.mjs';

const source = resolve('src');
const { dependencies, peerDependencies, exports } =
  /** @type {Record<'dependencies' | 'peerDependencies' | 'exports', Record<string, string | { default: string }>>} */ (
    JSON.parse(readFileSync('package.json', 'utf8'))
  );
/** What `exports` names: `./dist/x.js` is made of `src/x.ts`. */
const PUBLIC = Object.values(exports).flatMap((door) =>
  typeof door === 'string' ? [] : [door.default.replace(/^\.\/dist\/(.*)\.js$/, '$1.ts')],
);
/** What is imported or required by its path. */
const IMPORTED = [
  'modules/child-program.ts',
  'cli/bin.ts',
  'cli/fire.ts',
  'cli/for-clients.ts',
  'in-process/open.ts',
  'own-files.mjs',
  ...readdirSync(join(source, 'agents'))
    .map((name) => `agents/${name}/api/loader.ts`)
    .filter((file) => existsSync(join(source, file))),
  'agents/oh-my-pi/api/host-packages/packed-typebox.mjs',
  'agents/opencode/api/tools/tool.ts',
];
/** What is started by its path. */
const PROGRAMS = [
  'daemon/session-program.ts',
  'library/late-ending.ts',
  'runners/command/helper.mjs',
  'runners/isolated/child.mjs',
  'runners/isolated/lifeline.mjs',
];
/** What an event may wait for. */
const EVENT_PROGRAMS = [
  'cli/bridge.ts',
  'cli/for-clients.ts',
  'daemon/run-daemon.ts',
  'daemon/session-program.ts',
];
/**
 * Loading a file costs Node as much as compiling ten kilobytes. What most programs need is therefore in three files: `core`, and
 * `part` and `most` for what these load as well, which would otherwise load all of it.
 */
const LOADS_PART = ['agents/claude-agent-sdk/api/index.ts', 'agents/opta/api/index.ts', 'testing/index.ts'];
const LOADS_MOST = [
  'agents/claude-code/api/index.ts',
  'agents/oh-my-pi/api/index.ts',
  'agents/opencode/api/index.ts',
  'read-journals/index.ts',
];
/** What these need stays in files of its own: they start often, or need little. */
const LOADS_LITTLE = [
  'adapters/ai-sdk/index.ts',
  'adapters/langchain/index.ts',
  'adapters/openai-agents/index.ts',
  'cli/bin.ts',
  'cli/for-clients.ts',
  'index.ts',
  'modules/child-program.ts',
  'render/index.ts',
  'runners/command/helper.mjs',
  'runners/isolated/child.mjs',
  'runners/isolated/lifeline.mjs',
  'shell/index.ts',
];
/** CommonJS that is used as it is. */
const COPIED = ['bin/anyhook.cjs', 'runners/module/native-import.cjs'];

/** The same place, with the extension that Node knows it by. @param {string} file below `src` */
const placeOf = (file) => file.replace(/\.ts$/, '.js');
const installed = Object.keys({ ...dependencies, ...peerDependencies });
/** @param {string} wanted */
const isExternal = (wanted) => installed.some((name) => wanted === name || wanted.startsWith(`${name}/`));

/** Static imports, by module. @type {Map<string, readonly string[]>} */
const imports = new Map();
/** Everything that a module loads at once. @param {readonly string[]} files below `src` */
function loadedBy(files) {
  const found = new Set(files.map((file) => resolve(source, file)));
  for (const id of found) for (const wanted of imports.get(id) ?? []) found.add(wanted);
  return found;
}
const ENTRIES = new Set([...PUBLIC, ...IMPORTED, ...PROGRAMS].map((file) => resolve(source, file)));
/**
 * Of what an event loads, the modules that these load as well.
 * @param {string} name @param {readonly string[]} files @param {number} priority
 */
function groupOf(name, files, priority) {
  /** @type {Set<string> | undefined} */
  let members;
  const find = () => {
    const theirs = loadedBy(files);
    return new Set([...loadedBy(EVENT_PROGRAMS)].filter((id) => theirs.has(id) && !ENTRIES.has(id)));
  };
  return { name, priority, test: (/** @type {string} */ id) => (members ??= find()).has(id) };
}

const bundle = await rolldown({
  input: {
    ...Object.fromEntries(
      [...PUBLIC, ...IMPORTED, ...PROGRAMS].map((file) => [placeOf(file), resolve(source, file)]),
    ),
    // What the benchmarks measure below the public modules; not published.
    'internals.js': resolve('../../bench/internals.ts'),
  },
  platform: 'node',
  preserveEntrySignatures: 'strict',
  external: isExternal,
  // A lazy import of a module that another one imports anyway is late only where the source runs by itself.
  onLog: (level, log, next) => void (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT' && next(level, log)),
  // For CommonJS packages that are taken in: what they require of Node is imported.
  plugins: [
    esmExternalRequirePlugin({ external: [...builtinModules, /^node:/] }),
    {
      name: 'static imports',
      buildEnd() {
        for (const id of this.getModuleIds()) imports.set(id, this.getModuleInfo(id)?.importedIds ?? []);
      },
    },
  ],
  transform: { define: { __filename: 'import.meta.filename', __dirname: 'import.meta.dirname' } },
});
const { output } = await bundle.write({
  dir: 'dist',
  format: 'esm',
  entryFileNames: '[name]',
  // Rolldown names a part of a group after all the entries that load it.
  chunkFileNames: ({ name }) => `chunks/${name.split('~')[0]}-[hash].js`,
  codeSplitting: {
    groups: [
      // It finds our other files from its own place.
      { name: 'own-files', priority: 5, test: (id) => id === resolve(source, 'own-files.mjs') },
      { ...groupOf('little', LOADS_LITTLE, 4), entriesAware: true, entriesAwareMergeThreshold: 3000 },
      groupOf('part', LOADS_PART, 3),
      groupOf('most', LOADS_MOST, 2),
      groupOf('core', EVENT_PROGRAMS, 1),
    ],
  },
  sourcemap: true,
  sourcemapExcludeSources: true,
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
});

/** Which modules are in which file: for tests of what is loaded; not published. @type {Record<string, string[]>} */
const modules = {};
for (const file of output) {
  if (file.type !== 'chunk') continue;
  giveNotice(file.moduleIds);
  modules[file.fileName] = file.moduleIds.map((id) => relative(source, id));
}
writeFileSync('dist/modules.json', JSON.stringify(modules));
for (const file of COPIED) cpSync(join('src', file), join('dist', file));
