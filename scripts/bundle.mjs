/**
 * `dist/bin`: all code of the package, for the command line and for who imports us, in files that both share. Every door of
 * `exports`, and what else is imported by its address, is two lines of ES module at its place in `dist`, and behind it
 * CommonJS: the loader of ES modules alone costs a quarter of Node's start. Programs that are started by their path lie
 * in `dist/bin` themselves. Runs in the folder of the package.
 */
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { giveNotice } from './notices.mjs';

const [source, built, out] = [resolve('src'), resolve('dist'), resolve('dist/bin')];
const { dependencies, peerDependencies, exports } =
  /** @type {Record<'dependencies' | 'peerDependencies' | 'exports', Record<string, string | { default: string }>>} */ (
    JSON.parse(readFileSync('package.json', 'utf8'))
  );
/** What is imported by its address, beside the doors. */
const IMPORTED = [
  'assembly/foreign-modules/child-program.ts',
  'hosts/in-process/open.ts',
  'surfaces/claude-agent-sdk/loader.ts',
  'surfaces/oh-my-pi/loader.ts',
  'surfaces/opencode/loader.ts',
  'surfaces/opencode/tools/tool.ts',
];
/** What is started by its path. */
const PROGRAMS = [
  'hosts/library/late-ending.ts',
  'hosts/warm/engine-program.ts',
  'hosts/warm/session-program.ts',
  'runners/command/helper.mjs',
  'runners/isolated/child.mjs',
  'runners/isolated/lifeline.mjs',
];
/** What `anyhook.cjs` loads: the road of every fire that somebody listens to, and that of the other commands. */
const ROADS = ['hosts/cli/main.ts', 'hosts/cli/main-fire.ts', 'hosts/warm/start.ts'];
/** Below the doors, for the benchmarks; not published. */
const INTERNALS = resolve('../../bench/internals.ts');
/** Stays outside of `dist/bin`: what comes from a cache of compiled code cannot import by itself. */
const NATIVE_IMPORT = 'runners/module/native-import.cjs';
/** Stands in the place of `node:path`: see there. Not in the small programs (`.mjs`), which ask little and load one file less. */
const PATH = resolve(source, 'canon/path.ts');
const quickPaths = {
  name: 'quick-paths',
  /** @param {string} wanted @param {string} [importer] */
  resolveId: (wanted, importer = '') =>
    wanted === 'node:path' && importer.startsWith(source) && importer.endsWith('.ts') && importer !== PATH
      ? PATH
      : null,
};
/** Stands in the place of the global `performance`: see there. */
const CLOCK = resolve(source, 'canon/clock.ts');
const quickClock = {
  name: 'quick-clock',
  /** @param {string} code @param {string} id */
  transform: (code, id) =>
    id.startsWith(source) && id !== CLOCK && code.includes('performance.now()')
      ? { code: `import { performance } from ${JSON.stringify(CLOCK)};\n${code}` }
      : null,
};
/** Packages with a file of their own: only commands are parsed, and only people's words. */
const OWN_FILES = ['unbash', 'commander'];
/**
 * Modules that share a file, each with what it imports, unless an earlier file has that: imports between them point one
 * way, as between rooms, and who needs little loads little. What is in none of them is split by who needs it.
 */
const TOGETHER = {
  basics: /src\/canon\/(?:path|clock)\.ts$/,
  // All that the engine shares with a fire: it holds sessions, and nothing of what they do.
  ground:
    /src\/(?:canon\/(?:fields|trace|keys-twice)|assembly\/(?:ancestors|depth-limit)|settings\/(?:own-file|make-folder|managed|working-folder|disk-record)|hosts\/fire\/folder|hosts\/silence\/recall)\.ts$/,
  front: /src\/(?:index|hosts\/cli\/(?:commands|ending)|hosts\/console\/usage)\.ts$/,
  programs: /runners\/command\/(?!helper)[^/]+\.mjs$/,
  thrown: /runners\/module\/(?:thrown|exported-from)\.mjs$/,
  module: /runners\/module\/[^/]+\.mjs$/,
  isolated: /runners\/isolated\/(?!child\.|lifeline\.)[^/]+\.mjs$/,
  canon: /src\/canon\/(?!bash\/|danger\/|validate\.)/,
  shell: /canon\/(?:bash|danger)\/index\.ts$/,
  engine: /src\/engine\//,
  journal: /src\/journal\//,
  views: /src\/views\//,
  dialects: /src\/assemble\.ts$/,
  fire: /cli\/main-fire\.ts$/,
  commands: /src\/runners\/command\/index\.ts$/,
  run: /src\/(?:assembly\/self-protection\/index|hosts\/library\/(?:records|long-texts))\.ts$/,
  console: /src\/hosts\/console\//,
};

const doors = Object.values(exports).flatMap((door) =>
  typeof door === 'string' ? [] : [door.default.replace(/^\.\/dist\//, '').replace(/\.js$/, '.ts')],
);
/** @param {string} file under `src` @returns {string} what it is called in `dist/bin` */
const nameOf = (file) => file.replace(/(?:\/index)?\.m?[jt]s$/, '').replaceAll('/', '-');
const installed = Object.keys({ ...dependencies, ...peerDependencies });
/**
 * A file of `jsonc-parser` is read by itself: all of them take longer to load than the rest of a fire.
 * @param {string} wanted @param {string} [importer]
 */
const isOutside = (wanted, importer) =>
  (isBuiltin(wanted) && quickPaths.resolveId(wanted, importer) === null) ||
  (![...OWN_FILES, 'jsonc-parser/lib/umd/impl/scanner.js'].includes(wanted) &&
    installed.some((name) => wanted === name || wanted.startsWith(`${name}/`)));

/** @param {string} place from `dist/bin` */
const pathOf = (place) => `require('path').join(__dirname, ${JSON.stringify(place)})`;
/** @param {string} place from `dist/bin` */
const addressOf = (place) => `require('node:url').pathToFileURL(${pathOf(place)}).href`;
/** What lies beside a module still does: it is looked for where the module would be, had it not been bundled. */
const placesStay = {
  name: 'places-stay',
  /** @param {string} code @param {string} id */
  transform(code, id) {
    if (!id.startsWith(source) || !code.includes('import.meta.url')) return null;
    const place = relative(out, id.replace(source, built).replace(/\.ts$/, '.js'));
    return {
      code: code
        // A path is not made an address to be made a path again: that takes longer than all else at the start of a file.
        .replaceAll(
          /fileURLToPath\(new URL\('([^']+)', import\.meta\.url\)\)/g,
          (_, /** @type {string} */ beside) => {
            const file = relative(source, resolve(dirname(id), beside)).replace(/\.js$/, '.ts');
            return pathOf(PROGRAMS.includes(file) ? `${nameOf(file)}.cjs` : join(dirname(place), beside));
          },
        )
        .replaceAll(/createRequire\(import\.meta\.url\)\((?='(?:unbash|jsonc-parser|re2js)\b)/g, 'require(')
        .replaceAll(/new URL\('([^']+)', import\.meta\.url\)/g, (whole, /** @type {string} */ beside) => {
          const file = relative(source, resolve(dirname(id), beside)).replace(/\.js$/, '.ts');
          return PROGRAMS.includes(file) ? `new URL(${addressOf(`${nameOf(file)}.cjs`)})` : whole;
        })
        .replaceAll('import.meta.url', addressOf(place)),
    };
  },
};

/**
 * What one file takes from another is read once, when it is loaded, and is a variable from then on; the bundler writes a
 * getter that is called at every use, and an event asks hundreds. True because nothing that is exported changes and files
 * do not import each other in a circle: `noCircle` looks.
 */
const plainNames = {
  name: 'plain-names',
  /** @param {string} code */
  renderChunk(code) {
    const given = code.replaceAll(
      /Object\.defineProperty\(exports, "([^"]+)", \{\s+enumerable: true,\s+get: function \(\) \{\s+return ([\w$.]+);\s+\}\s+\}\)/g,
      'exports["$1"] = $2',
    );
    const taken = given.replaceAll(
      /^const (require_\w+) = require\("\.\/[^"]+"\);$/gm,
      (line, /** @type {string} */ file) => {
        const names = new Set(
          [...given.matchAll(new RegExp(`\\b${file}\\.([\\w$]+)`, 'g'))].map(([, name]) => name),
        );
        const list = [...names].map((name) => `${name}: ${file}$${name}`).join(', ');
        return list === '' ? line : line.replace(file, () => `{ ${list} }`);
      },
    );
    // What Node has built in is not loaded where nothing of it is used any more.
    const needed = taken.replaceAll(
      /^let (node_\w+) = require\("node:\w+"\);\n/gm,
      (line, /** @type {string} */ name) =>
        taken.match(new RegExp(`\\b${name}\\b`, 'g'))?.length === 1 ? '' : line,
    );
    return { code: needed.replaceAll(/\b(require_\w+)\.([\w$]+)/g, '$1$$$2') };
  },
};

/** Of `node:module`, what the loader of every program has anyway: the rest of it wakes the loader of ES modules. */
const OF_THE_LOADER = ['builtinModules', 'createRequire', 'isBuiltin'];
const quickModule = {
  name: 'quick-module',
  /** @param {string} code */
  renderChunk(code) {
    const loaded = 'let node_module = require("node:module");';
    const taken = [...code.matchAll(/\bnode_module\b(?:\.(\w+))?/g)].slice(1).map(([, name = '']) => name);
    return code.includes(loaded) && taken.every((name) => OF_THE_LOADER.includes(name))
      ? {
          code: code.replace(
            loaded,
            'let node_module = module.constructor.isBuiltin ? module.constructor : require("node:module");',
          ),
        }
      : null;
  },
};

const all = rolldown({
  input: {
    ...Object.fromEntries(
      [...doors, ...IMPORTED, ...PROGRAMS, ...ROADS].map((file) => [nameOf(file), resolve(source, file)]),
    ),
    internals: INTERNALS,
  },
  platform: 'node',
  preserveEntrySignatures: 'strict',
  external: isOutside,
  plugins: [
    {
      name: 'own-files',
      resolveId: (wanted) =>
        OWN_FILES.includes(wanted) ? { id: `./packed-${wanted}.cjs`, external: true } : null,
    },
    quickPaths,
    quickClock,
    placesStay,
    plainNames,
    quickModule,
  ],
});
/**
 * What Node has built in is handed out by the process at once: `require` wakes a loader first, and a copy of it, for who says
 * `default`, is made name by name. Together a third of a millisecond, in the file that every event loads.
 */
const builtInAtOnce = {
  name: 'built-in-at-once',
  /** @param {string} code */
  renderChunk: (code) => ({
    code: code
      .replaceAll(/^(node_\w+) = __toESM\(\1\);$/gm, '')
      .replaceAll(/\b(node_\w+)\.default\b/g, '$1')
      .replaceAll(/\brequire\(("node:\w+")\)/g, 'process.getBuiltinModule($1)'),
  }),
};
/** What agents start for every event, and answers what nobody listens to: whole in one file, whoever else has parts of it. */
const first = rolldown({
  input: { anyhook: resolve(source, 'hosts/cli/bin.ts') },
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  plugins: [
    quickPaths,
    quickClock,
    builtInAtOnce,
    {
      name: 'roads-lie-beside',
      resolveId(wanted, importer = '') {
        const file = relative(source, resolve(importer, '..', wanted));
        return ROADS.includes(file) ? { id: `./${nameOf(file)}.cjs`, external: true } : null;
      },
      renderChunk: (code) => ({ code: code.replaceAll(/import\(("\.\/[^"]+")\)/g, 'require($1)') }),
    },
  ],
});
const packages = rolldown({
  input: Object.fromEntries(OWN_FILES.map((name) => [`packed-${name}`, name])),
  platform: 'node',
});

rmSync(out, { recursive: true, force: true });
/** Which modules are in which file: for tests of what is loaded, not published. @type {Record<string, string[]>} */
const modules = {};
const behind = new Map([...doors, ...IMPORTED].map((file) => [`${nameOf(file)}.cjs`, file]));
behind.set('internals.cjs', 'internals.ts');
for (const [made, splitting] of /** @type {const} */ ([
  [all, { groups: Object.entries(TOGETHER).map(([name, test], at) => ({ name, test, priority: 99 - at })) }],
  [first, {}],
  [packages, {}],
])) {
  const { output } = await (
    await made
  ).write({
    dir: out,
    format: 'cjs',
    banner: ({ isEntry, name }) => (isEntry && name === 'anyhook' ? '#!/usr/bin/env node' : ''),
    entryFileNames: '[name].cjs',
    // What only the first file's parts share must not take the name of a file that all share.
    chunkFileNames: ({ isDynamicEntry }) =>
      made === first && !isDynamicEntry ? 'first-[name].cjs' : '[name].cjs',
    codeSplitting: splitting,
    minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  });
  noCircle(new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.imports]] : []))));
  const chunks = output.filter((file) => file.type === 'chunk');
  for (const { fileName } of chunks) inAscii(resolve(out, fileName));
  for (const file of output) {
    if (file.type !== 'chunk') continue;
    if (modules[file.fileName] !== undefined) throw new Error(`two files are called ${file.fileName}`);
    giveNotice(file.moduleIds);
    const late = file.dynamicImports.filter((name) => !name.endsWith('.cjs') && !isBuiltin(name));
    if (late.length > 0) throw new Error(`${file.fileName} says import('${late[0]}'): use nativeImport`);
    modules[file.fileName] = file.moduleIds.map((id) => relative(source, id));
    const door = behind.get(file.fileName);
    if (door !== undefined) writeDoor(door, file.fileName, file.exports);
  }
}
writeFileSync(resolve(built, 'modules.json'), JSON.stringify(modules));
cpSync(resolve(source, NATIVE_IMPORT), resolve(built, NATIVE_IMPORT));

/** @param {ReadonlyMap<string, readonly string[]>} imports @param {readonly string[]} [way] */
function noCircle(imports, way = []) {
  const next = way.length === 0 ? [...imports.keys()] : (imports.get(way.at(-1) ?? '') ?? []);
  for (const file of next) {
    if (way.includes(file)) throw new Error(`files import each other: ${[...way, file].join(' → ')}`);
    noCircle(imports, [...way, file]);
  }
}

/** @param {string} file @param {string} behind @param {readonly string[]} names */
function writeDoor(file, behind, names) {
  const place = resolve(built, file.replace(/\.ts$/, '.js'));
  const path = relative(dirname(place), resolve(out, behind)).replace(/^(?!\.)/, './');
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, `import all from '${path}';\nexport const { ${names.join(', ')} } = all;\n`);
}

/** A text with one other letter takes twice the room, and longer to read. @param {string} file */
function inAscii(file) {
  const code = (/** @type {string} */ unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/[^\0-\x7f]/g, code));
}

// Installed files carry no time of their own: a build is known by what is in it.
const mark = createHash('sha256');
for (const file of readdirSync(out).toSorted()) mark.update(readFileSync(resolve(out, file)));
const build = mark.digest('hex').slice(0, 16);
for (const name of readdirSync(out)) {
  const text = readFileSync(resolve(out, name), 'utf8');
  if (text.includes('@build@')) writeFileSync(resolve(out, name), text.replaceAll('@build@', build));
}
chmodSync(resolve(out, 'anyhook.cjs'), 0o755);
