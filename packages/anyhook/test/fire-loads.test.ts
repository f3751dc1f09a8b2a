/** Other agents start `anyhook fire` for every event: what a fire does not need is not loaded. Runs the built package. */
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { heardBy } from '../src/hosts/warm/file-client.ts';
import { enginePlaces } from '../src/hosts/warm/places.ts';
import { answerText, TAKEN } from '../src/hosts/warm/wire.ts';

const CLI = fileURLToPath(new URL('../dist/bin/anyhook.cjs', import.meta.url));
/** Which modules are in which file. */
const MODULES = JSON.parse(
  readFileSync(new URL('../dist/modules.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly string[]>>;
const root = mkdtempSync(join(tmpdir(), 'anyhook-loads-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const LOG = join(root, 'loads.txt');
writeFileSync(
  join(root, 'register.cjs'),
  `const Module = module.constructor; // to ask for node:module would load what fires must not
   const { appendFileSync } = require('node:fs');
   const before = Module._load;
   Module._load = (name, ...rest) => { appendFileSync(${JSON.stringify(LOG)}, name + '\\n'); return before(name, ...rest); };
   // Files of ours that came in one script with others are not asked for one by one.
   const loaded = () => Object.keys(require.cache).map((file) => require('node:path').basename(file) + '\\n');
   process.on('exit', () => appendFileSync(${JSON.stringify(LOG)}, loaded().join('') + process.moduleLoadList.join('\\n')));`,
);

/** The modules of a fire, by what stands in the user's settings; of the last one, where there are several. */
function loadedBy(settings: object, modules: Record<string, string> = {}, times = 1): string[] {
  const home = mkdtempSync(join(root, 'home-'));
  mkdirSync(join(home, '.config/anyhook/hooks/parts'), { recursive: true });
  for (const [name, text] of Object.entries(modules))
    writeFileSync(join(home, '.config/anyhook/hooks', name), text);
  writeFileSync(join(home, '.config/anyhook/hooks.json'), JSON.stringify(settings));
  const cwd = mkdtempSync(join(home, 'project-'));
  for (let i = 0; i < times; i++) {
    writeFileSync(LOG, '');
    execFileSync(
      process.execPath,
      ['--require', join(root, 'register.cjs'), CLI, 'fire', '--as', 'anyhook', 'tool.before'],
      {
        cwd,
        env: { PATH: process.env['PATH'], HOME: home },
        input: '{"tool":"read","input":{"path":"x"}}',
      },
    );
  }
  return loadsSeen();
}
function loadsSeen(): string[] {
  const names = readFileSync(LOG, 'utf8').split('\n');
  return [...names, ...names.flatMap((name) => MODULES[name.replace(/^\.\//, '')] ?? [])];
}
const HEAVY = ['zod', 'commander', 'jiti', '@modelcontextprotocol', 'unbash', 're2js'];
const heavyIn = (loads: readonly string[]) =>
  HEAVY.filter((name) =>
    loads.some((load) => load.includes(`/node_modules/${name}/`) || load.split('/').includes(name)),
  );
const roomsIn = (loads: readonly string[], ...rooms: string[]) =>
  rooms.filter((room) => loads.some((load) => load.startsWith(room)));

describe('a fire', () => {
  test('that finds no hook loads no library, no runner of commands or modules, no journal and no trust', () => {
    const loads = loadedBy({});
    expect(loads.length).toBeGreaterThan(20);
    expect(heavyIn(loads)).toEqual([]);
    expect(
      roomsIn(
        loads,
        'journal/',
        'settings/trust/',
        'runners/command/',
        'runners/isolated/',
        'runners/http',
        'runners/mcp',
        'assembly/self-protection',
      ),
    ).toEqual([]);
  });

  test('that runs a command loads what runs and records it, and still no library', () => {
    const loads = loadedBy({ hooks: { 'tool.before': [{ match: 'read', run: 'true' }] } });
    expect(heavyIn(loads)).toEqual([]);
    expect(roomsIn(loads, 'journal/', 'runners/command/', 'settings/trust/', 'runners/isolated/')).toEqual([
      'journal/',
      'runners/command/',
    ]);
  });

  test('that runs a command loads no other clock than that of the process, and nothing that removes', () => {
    const loads = loadedBy({ hooks: { 'tool.before': [{ match: 'read', run: 'true' }] } }, {}, 2);
    const unused = ['NativeModule perf_hooks', 'NativeModule internal/fs/rimraf'];
    expect(loads).toContain('NativeModule child_process'); // the control: that is how they are named
    expect(loads.filter((one) => unused.includes(one))).toEqual([]);
  });

  test.each([
    ['fits', '{"input":{"path":"y"}}'],
    ['does not fit', '{"effects":[{"kind":"set","at":["input"],"to":5}]}'],
  ])('whose command says a value that %s loads no library to find out', (_what, answer) => {
    const run = `echo '${answer}'`;
    const loads = loadedBy({ hooks: { 'tool.before': [{ match: 'read', run, onFailure: 'allow' }] } });
    expect(heavyIn(loads)).toEqual([]);
  });
});

describe('a module', () => {
  const hook = (more: string) =>
    `${more}import { defineHook } from 'anyhook';
     export default defineHook({ on: 'tool.before', run: (): undefined => void writeSync(2, '') });\n`;
  const BUILT_IN = "import { writeSync } from 'node:fs';\n";
  const isAwake = (loads: readonly string[]) =>
    loads.some((load) => load.endsWith('internal/modules/esm/translators'));

  test('that imports us and what Node has built in wakes no loader of ES modules', () => {
    const loads = loadedBy({}, { 'mine.ts': hook(BUILT_IN) });
    expect(isAwake(loads)).toBe(false);
    expect(roomsIn(loads, 'runners/module/load-module', 'runners/command/')).toEqual([
      'runners/module/load-module',
    ]);
  });

  test('that imports us does not even load the loader of ES modules the second time, when it is compiled', () => {
    const loadersOf = (text: string) =>
      loadedBy({}, { 'mine.ts': text }, 2).filter(
        (load) => load === 'NativeModule internal/modules/esm/loader',
      );
    expect(loadersOf(hook(BUILT_IN))).toEqual([]);
    expect(loadersOf(hook(`${BUILT_IN}import 'node:module';\n`))).toHaveLength(1); // the control
  });

  test('that prints nothing leaves the streams unmade', () => {
    // The second time: the compiler of the first has streams of its own.
    const madeBy = (text: string) => loadedBy({}, { 'mine.ts': text }, 2).includes('NativeModule net');
    expect(madeBy(hook(BUILT_IN))).toBe(false);
    expect(madeBy(hook(BUILT_IN).replace('writeSync(2,', 'console.log('))).toBe(true); // the control
  });

  test('that imports a file of its own that Node can read wakes it', () => {
    const part = { 'parts/part.mjs': 'export const part = 1;\n' };
    const loads = loadedBy({}, { ...part, 'mine.ts': hook(`${BUILT_IN}import './parts/part.mjs';\n`) });
    expect(isAwake(loads)).toBe(true);
  });
});

test('every file of ours is ASCII: what is kept is read letter by letter as bytes', () => {
  const folder = join(CLI, '..');
  const files = readdirSync(folder).filter((name) => name.endsWith('.cjs'));
  expect(files).toContain('fire.cjs');
  // oxlint-disable-next-line no-control-regex -- the first of them is one
  expect(files.filter((name) => !/^[\0-\x7f]*$/.test(readFileSync(join(folder, name), 'latin1')))).toEqual(
    [],
  );
});

test.runIf(process.platform === 'linux')(
  'a question to the engine loads nothing of Node that a program without a line does not',
  async () => {
    const places = enginePlaces(mkdtempSync(join(root, 'q')));
    for (const folder of [places.spool, places.asked]) mkdirSync(folder);
    const engine = createServer();
    await new Promise<void>((resolve) => engine.listen(places.socket, resolve));
    const questions = watch(places.asked, (kind, pid) => {
      const file = heardBy(places, Number(pid));
      if (kind === 'rename' && !existsSync(file))
        writeFileSync(file, `${TAKEN}${answerText({ code: 3, stdout: 'said', stderr: '' })}`);
    });
    const empty = join(root, 'empty.cjs');
    writeFileSync(empty, '');
    const builtIn = async (...words: string[]) => {
      writeFileSync(LOG, '');
      const child = spawn(process.execPath, ['--require', join(root, 'register.cjs'), ...words]);
      child.stdin.end('{}');
      const [said, code] = await Promise.all([
        textOf(child.stdout),
        new Promise((resolve) => child.on('close', resolve)),
      ]);
      return { said, code, loads: loadsSeen().filter((one) => one.startsWith('NativeModule ')) };
    };
    const [asked, none] = [
      await builtIn(CLI, 'fire', '--as', 'codex', '--engine', `ask:${places.folder}`),
      await builtIn(empty),
    ];
    questions.close();
    engine.close();
    expect([asked.said, asked.code]).toEqual(['said', 3]); // it was answered
    expect(none.loads.length).toBeGreaterThan(20);
    expect(asked.loads.filter((one) => !none.loads.includes(one))).toEqual([]);
  },
);

test('the engine, which holds sessions and decides nothing, loads no dialect and nothing that runs hooks', () => {
  const folder = mkdtempSync(join(root, 'e'));
  const program = join(CLI, '../hosts-warm-engine-program.cjs');
  writeFileSync(LOG, '');
  execFileSync(process.execPath, ['--require', join(root, 'register.cjs'), program, folder, '50']);
  const loads = loadsSeen();
  const rooms = [
    'dialects/',
    'engine/',
    'runners/',
    'journal/',
    'surfaces/',
    'agents/',
    'hosts/warm/engine.ts',
  ];
  expect(roomsIn(loads, ...rooms)).toEqual(['hosts/warm/engine.ts']);
});
