/** What V8 made of the library is kept for the next start of the same program. Runs the built package. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'anyhook-kept-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const at = (path: string) => JSON.stringify(new URL(`../dist/${path}`, import.meta.url).href);

/** Says how each of our files was compiled; Node's own loader makes no script. */
const SPY = join(root, 'spy.cjs');
writeFileSync(
  SPY,
  `const vm = require('node:vm'); const { Script } = vm;
   globalThis.compiled = {};
   vm.Script = class extends Script {
     constructor(text, options) {
       super(text, options);
       const { filename = '', cachedData } = options ?? {};
       if (!/dist.bin/.test(filename)) return;
       const how = cachedData === undefined ? 'anew' : this.cachedDataRejected ? 'rejected' : 'kept';
       globalThis.compiled[require('node:path').basename(filename)] = how;
     }
   };`,
);
/** Opens hooks, asks them, and says what came of it. */
const program = (before = '') => `${before}
const { createHooks, defineHook, deny } = await import(${at('index.js')});
const hooks = await createHooks({
  host: { name: 'kept', can: { 'tool.before': { deny: 'full' } } },
  journal: false,
  hooks: [defineHook({ on: 'tool.before', name: 'no', run: () => deny('no') })],
});
const { proceed } = await hooks.fire({ name: 'tool.before', payload: { tool: 'shell', input: {} } });
await hooks.close();
console.log(JSON.stringify({ proceed, compiled: globalThis.compiled }));`;

class World {
  readonly home = mkdtempSync(join(root, 'home-'));
  readonly state = join(this.home, '.local/state/anyhook');
  readonly project = mkdtempSync(join(root, 'project-'));
  withState(): this {
    mkdirSync(this.state, { recursive: true, mode: 0o700 });
    return this;
  }
  start({ cwd = this.project, name = 'host.mjs', before = '', env = {} } = {}) {
    const file = join(this.home, name);
    writeFileSync(file, program(before));
    const said = execFileSync(process.execPath, ['--require', SPY, file], {
      cwd,
      env: { PATH: process.env['PATH'], HOME: this.home, ...env },
      encoding: 'utf8',
    });
    const { proceed, compiled } = JSON.parse(said) as { proceed: string; compiled: Record<string, string> };
    expect(proceed).toBe('no');
    return compiled;
  }
  get kept(): string[] {
    const folder = join(this.state, 'quick/library');
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.bin'))
      .map((file) => join(folder, file));
  }
}
const ways = (compiled: Record<string, string>) => new Set(Object.values(compiled));

describe('what V8 made of the library', () => {
  test('is kept for the next start of the same program, for this user alone', () => {
    const world = new World().withState();
    expect(ways(world.start())).toEqual(new Set(['anew']));
    expect(new Set(world.kept.map((file) => statSync(file).mode & 0o777))).toEqual(new Set([0o600]));
    const compiled = world.start();
    expect([compiled['hosts-cli-main-fire.cjs'], ways(compiled)]).toEqual(['kept', new Set(['kept'])]);
    expect(ways(world.start({ name: 'other.mjs' }))).toEqual(new Set(['anew']));
  });

  test('leaves nothing in the home of a person of whom nothing is kept', () => {
    const world = new World();
    expect(world.start()).toEqual({});
    expect(readdirSync(world.home)).toEqual(['host.mjs']);
  });

  test('is made anew when it is damaged or could be of somebody else', () => {
    const world = new World().withState();
    const main = () => world.start()['hosts-cli-main-fire.cjs'];
    expect([main(), main()]).toEqual(['anew', 'kept']);
    const file = world.kept.find((name) => basename(name).includes('main-fire'))!;
    const whole = readFileSync(file);
    writeFileSync(file, whole.subarray(0, whole.length / 2));
    expect([main(), main()]).toEqual(['anew', 'kept']);
    const flipped = readFileSync(file);
    flipped[flipped.length - 9]! ^= 1;
    writeFileSync(file, flipped);
    expect([main(), main()]).toEqual(['anew', 'kept']);
    chmodSync(file, 0o666);
    expect([main(), main()]).toEqual(['anew', 'kept']);
  });

  test('is not asked where the folder we are in could have brought it, nor where others may write', () => {
    const world = new World().withState();
    expect([world.start({ cwd: world.home }), world.kept]).toEqual([{}, []]);
    const inside = join(world.project, 'state');
    mkdirSync(join(inside, 'anyhook'), { recursive: true, mode: 0o700 });
    expect(world.start({ env: { XDG_STATE_HOME: inside } })).toEqual({});
    chmodSync(world.state, 0o777);
    expect([world.start(), world.kept]).toEqual([{}, []]);
  });

  test('makes no folder anew that was taken away while the program ran', () => {
    const world = new World().withState();
    const away = `import { rmSync } from 'node:fs'; process.once('exit', () => rmSync(${JSON.stringify(join(world.home, '.local'))}, { recursive: true }));`;
    world.start({ before: away });
    expect(existsSync(join(world.home, '.local'))).toBe(false);
  });

  test('is told apart by what the program had loaded before by another door', () => {
    const world = new World().withState();
    const start = (before?: string) => ways(world.start({ ...(before && { before }) }));
    const testing = `await import(${at('testing/index.js')});`;
    expect([start(), start(testing), start(), start(testing)]).toEqual([
      new Set(['anew']),
      new Set(['anew']),
      new Set(['kept']),
      new Set(['kept']),
    ]);
  });
});
