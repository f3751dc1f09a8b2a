/** An event that nobody listens to is answered from memory: only while everything that was looked at is the same. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { deepTest } from './deep.ts';

const CLI = fileURLToPath(new URL('../dist/bin/anyhook.cjs', import.meta.url));
const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-quick-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const LOG = join(root, 'seen.txt');
const SPY = join(root, 'spy.cjs');
writeFileSync(
  SPY,
  `const fs = require('node:fs'); const Module = require('node:module');
   const note = (text) => fs.writeSync(log, text + '\\n'); const log = fs.openSync(${JSON.stringify(LOG)}, 'a');
   for (const name of ['openSync', 'readdirSync', 'readFileSync', 'statSync', 'lstatSync', 'accessSync', 'existsSync']) {
     const before = fs[name];
     fs[name] = (path, ...rest) => { if (typeof path === 'string') note('look ' + path); return before(path, ...rest); };
   }
   const load = Module._load;
   Module._load = (name, ...rest) => { if (name.endsWith('fire.cjs')) note('engine'); return load(name, ...rest); };`,
);

class World {
  readonly home = mkdtempSync(join(root, 'home-'));
  readonly project = mkdtempSync(join(root, 'project-'));
  constructor() {
    this.put(
      this.home,
      '.claude/settings.json',
      '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true"}]}]}}',
    );
    this.put(this.home, '.config/goose/hooks.json', '{}');
  }
  put(base: string, path: string, text: string): void {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  }
  /** What a fire looked at, and whether it needed the engine. */
  fire(
    env: Record<string, string> = {},
    event = 'PostToolUse',
    as = 'claude-code',
    ...more: readonly string[]
  ): {
    readonly engine: boolean;
    readonly looked: string[];
    readonly stdout: string;
  } {
    writeFileSync(LOG, '');
    const input = JSON.stringify({
      hook_event_name: event,
      session_id: 's',
      cwd: this.project,
      tool_name: 'Read',
      tool_input: {},
      tool_response: 'x',
    });
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--require', SPY, CLI, 'fire', '--as', as, ...more],
      {
        cwd: this.project,
        env: { PATH: process.env['PATH'], HOME: this.home, ...env },
        input,
        encoding: 'utf8',
      },
    );
    // Broken settings are said at every fire.
    expect([stderr.replaceAll(/^anyhook: error: .*\n/gm, ''), status]).toEqual(['', 0]);
    const seen = readFileSync(LOG, 'utf8').split('\n');
    return {
      engine: seen.includes('engine'),
      stdout,
      looked: seen.filter((line) => line.startsWith('look ')).map((line) => line.slice(5)),
    };
  }
  get #quick(): string {
    return join(this.home, '.local/state/anyhook/quick');
  }
  get memories(): string[] {
    return readdirSync(this.#quick)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(this.#quick, name));
  }
}
const HOOK = '{"hooks":{"PostToolUse":[{"hooks":[{"type":"command","command":"true"}]}]}}';
const MODULE = 'export default () => {};\n';

/** Everything that could bring a listener, by where it appears. */
const APPEARS: Record<string, (world: World) => Record<string, string> | void> = {
  'the user’s Claude settings': (w) => w.put(w.home, '.claude/settings.json', HOOK),
  'the project’s Claude settings': (w) => w.put(w.project, '.claude/settings.json', HOOK),
  'the project’s local Claude settings': (w) => w.put(w.project, '.claude/settings.local.json', HOOK),
  'a Claude plugin': (w) => w.put(w.home, '.claude/plugins/installed_plugins.json', '{"plugins":{}}'),
  'another Claude folder': (w) => (
    w.put(w.home, 'other/settings.json', HOOK),
    { CLAUDE_CONFIG_DIR: join(w.home, 'other') }
  ),
  'another config folder': (w) => (
    w.put(w.home, 'xdg/anyhook/hooks.json', '{"hooks":{"tool.after":[{"run":"true"}]}}'),
    { XDG_CONFIG_HOME: join(w.home, 'xdg') }
  ),
  'our settings': (w) =>
    w.put(w.home, '.config/anyhook/hooks.json', '{"hooks":{"tool.after":[{"run":"true"}]}}'),
  'our project settings': (w) =>
    w.put(w.project, '.anyhook/hooks.json', '{"hooks":{"tool.after":[{"run":"true"}]}}'),
  'a module of ours': (w) => w.put(w.home, '.config/anyhook/hooks/a.mjs', MODULE),
  'a module in the project': (w) => w.put(w.project, '.anyhook/hooks/a.ts', MODULE),
  'Goose settings': (w) => w.put(w.home, '.config/goose/hooks.json', HOOK),
  'a Goose plugin': (w) => w.put(w.home, '.agents/plugins/p/hooks/hooks.json', HOOK),
  'Opta settings': (w) =>
    w.put(w.home, '.config/opta/config.json', '{"hooks":[{"event":"tool.post","command":"true"}]}'),
  'an oh-my-pi hook': (w) => w.put(w.project, '.omp/hooks/a.ts', MODULE),
  'an OpenCode plugin': (w) => w.put(w.project, '.opencode/plugin/a.ts', MODULE),
};

describe('a fire that nobody listens to', () => {
  test('needs the engine once, and answers from memory after that', () => {
    const world = new World();
    expect([world.fire(), world.fire()].map(({ engine, stdout }) => [engine, stdout])).toEqual([
      [true, ''],
      [false, ''],
    ]);
    expect(world.fire({}, 'PreToolUse').engine).toBe(true); // somebody listens to this one
  });

  const daily = [
    'our settings',
    'the project’s Claude settings',
    'another Claude folder',
    'an OpenCode plugin',
  ];
  for (const [what, appear] of Object.entries(APPEARS))
    (daily.includes(what) ? test : deepTest)(`is looked at anew when ${what} appears or changes`, () => {
      const world = new World();
      world.fire();
      expect(world.fire().engine).toBe(false);
      const env = appear(world) ?? {};
      expect(world.fire(env).engine).toBe(true);
    });

  test('is looked at anew when a slip comes into the file that the agent reads by itself, and then it is said', () => {
    const world = new World();
    const begin = () => {
      const { engine, stdout } = world.fire({}, 'SessionStart', 'claude-code', '--host', 'claude-code');
      return [engine, stdout.includes('Did you mean \\"hooks\\"?')];
    };
    expect([begin(), begin()]).toEqual([
      [true, false],
      [false, false],
    ]);
    world.put(world.home, '.claude/settings.json', HOOK.replace('hooks', 'hook'));
    expect([begin(), begin()]).toEqual([
      [true, true],
      [true, true],
    ]);
    world.put(world.home, '.claude/settings.json', HOOK);
    expect([begin(), begin()]).toEqual([
      [true, false],
      [false, false],
    ]);
  });

  test.each([
    ['claude-code', 'PostToolUse', 'CLAUDE_PROJECT_DIR'],
    ['gemini-cli', 'AfterTool', 'GEMINI_PROJECT_DIR'],
  ])('is looked at anew when %s says that its session is about another folder', (as, event, variable) => {
    const world = new World();
    const elsewhere = join(world.home, 'elsewhere');
    mkdirSync(elsewhere);
    const other = { [variable]: elsewhere };
    const engines = [{}, {}, other, other, {}].map((env) => world.fire(env, event, as).engine);
    expect(engines).toEqual([true, false, true, false, true]);
  });

  test('looks, on the long way, at nothing that the memory does not hold', () => {
    const world = new World();
    const { looked } = world.fire();
    const [memory] = world.memories;
    const { looked: kept } = JSON.parse(readFileSync(memory!, 'utf8')) as {
      looked: { files: object; folders: object; there: object; missing: readonly string[] };
    };
    const held = new Set([
      ...[kept.files, kept.folders, kept.there].flatMap((one) => Object.keys(one)),
      ...kept.missing,
    ]);
    const ours = looked.filter((path) => path.startsWith(world.home) || path.startsWith(world.project));
    const state = join(world.home, '.local/state');
    const isOnTheWay = (path: string) => Array.from(held).some((one) => one.startsWith(`${path}/`));
    const isBelowMissing = (path: string) => kept.missing.some((one) => path.startsWith(`${one}/`));
    const outside = ours.filter(
      (path) =>
        !held.has(path) &&
        !isOnTheWay(path) && // to something held
        !isBelowMissing(path) &&
        !path.startsWith(state) &&
        !state.startsWith(path) && // where the memory itself is put
        !path.startsWith(join(world.home, '.config/anyhook/paused')),
    );
    expect([ours.length > 20, outside]).toEqual([true, []]);
  });

  test('takes no memory that others could have written, and none that is damaged', () => {
    const world = new World();
    world.fire();
    const [memory] = world.memories;
    chmodSync(memory!, 0o666);
    expect(world.fire().engine).toBe(true);
    chmodSync(memory!, 0o600);
    writeFileSync(memory!, '{');
    expect(world.fire().engine).toBe(true);
    expect(world.fire().engine).toBe(false);
  });

  test('remembers nothing while settings are broken', () => {
    const world = new World();
    world.put(world.home, '.config/anyhook/hooks.json', '{');
    world.fire();
    expect(world.fire().engine).toBe(true);
  });
});
