/** Stray errors of modules under `createHooks` are contained and reported once, and no answer is lost. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { createHooks } from './create-hooks.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-stray-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const FIRES = fileURLToPath(new URL('./fixtures/fires.mjs', import.meta.url));
let count = 0;

function homeWith(files: Readonly<Record<string, string>>): { home: string; cwd: string } {
  const base = join(root, String(++count));
  for (const [path, text] of Object.entries({ ...files, '../project/.keep': '' })) {
    mkdirSync(dirname(join(base, 'home', path)), { recursive: true });
    writeFileSync(join(base, 'home', path), text);
  }
  return { home: join(base, 'home'), cwd: join(base, 'project') };
}
const PI = '.omp/hooks/pre/stray.mjs';
const OURS = '.config/anyhook/hooks/guard.mjs';
const GUARD = `import { defineHook, deny } from 'anyhook';
  export default defineHook({ on: 'tool.before', run: () => deny('not today') });`;
const before = {
  name: 'tool.before',
  payload: { tool: 'shell', input: { command: 'ls' } },
  ids: { session: 's' },
} as const;

const STRAYS = {
  'forgets a rejected fetch': ["fetch('http://127.0.0.1:9/x');", 'unhandled promise rejection: fetch failed'],
  'throws in a timer': ["setTimeout(() => { throw new Error('late'); }, 5);", 'uncaught exception: late'],
  'emits an error nobody listens to': [
    "import('node:events').then(({ EventEmitter }) => setTimeout(() => new EventEmitter().emit('error', new Error('emitted')), 5));",
    'uncaught exception: emitted',
  ],
  'ends its process in a timer': [
    'setTimeout(() => process.exit(3), 5);',
    /its process ended.*exited with code 3/,
  ],
  'catches everything itself, and ends': [
    "process.on('uncaughtException', () => process.exit(4)); setTimeout(() => { throw new Error('x'); }, 5);",
    /uncaught exception|its process ended.*exited with code 4/,
  ],
} as const;

describe("a module of another agent in the user's folder", { timeout: 120_000 }, () => {
  test.each(Object.keys(STRAYS) as (keyof typeof STRAYS)[])(
    'a module that %s is reported once, the deny of another guard stands, and the next event is answered',
    async (name) => {
      const [body, message] = STRAYS[name];
      const place = homeWith({
        [PI]: `export default (pi) => { pi.on('tool_call', () => { ${body} }); };`,
        [OURS]: GUARD,
      });
      const hooks = await createHooks({
        host: { name: 'test', can: EVERYTHING },
        ...place,
        journal: false,
      });
      const fired = await hooks.fire(before);
      expect([fired.verdict, fired.reasons.map(({ text }) => text)]).toEqual(['deny', ['not today']]);
      await expect.poll(() => hooks.problems.length, { timeout: 30_000 }).toBeGreaterThan(0);
      expect(hooks.problems[0]).toMatchObject({
        code: 'stray-error',
        file: join(place.home, PI),
        message:
          typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
      });
      const outcomes = [fired, await hooks.fire(before), await hooks.fire(before)];
      expect(outcomes.map(({ verdict }) => verdict)).toEqual(['deny', 'deny', 'deny']);
      const said = outcomes.flatMap((outcome) => outcome.said);
      expect(said).toMatchObject(said.map(() => ({ to: 'person' })));
      expect(said.length).toBeGreaterThan(0);
      expect(new Set(said.map(({ text }) => text)).size).toBe(said.length); // each once
      await hooks.close();
    },
  );

  test('a module of another agent keeps its console and fetch to itself', async () => {
    const { console: ours, fetch: fetched } = globalThis;
    const { log } = ours;
    const place = homeWith({
      [PI]: "console.log = () => {}; globalThis.fetch = () => { throw new Error('mine'); }; export default (pi) => { pi.on('tool_call', () => {}); };",
    });
    const hooks = await createHooks({ host: { name: 'test', can: EVERYTHING }, ...place, journal: false });
    expect([globalThis.console.log === log, globalThis.fetch === fetched]).toEqual([true, true]);
    await hooks.close();
  });

  test('control: the same fetch ends the process of the host', () => {
    const place = homeWith({
      [PI]: `export default (pi) => { pi.on('tool_call', () => { ${STRAYS['forgets a rejected fetch'][0]} return { block: true }; }); };`,
    });
    const run = (isolate: string) =>
      spawnSync(process.execPath, [FIRES, place.home, place.cwd, isolate, 'ls', '20000', 'close'], {
        encoding: 'utf8',
      });
    const [here, apart] = [run('none'), run('foreign')];
    expect([here.stdout.includes('alive'), here.status]).toEqual([false, 1]);
    expect([apart.stdout.includes('alive: deny'), apart.status]).toEqual([true, 0]);
  });
});

describe('a module of ours in the process of a program', { timeout: 120_000 }, () => {
  const program = (strayErrors: string) => {
    const { home, cwd } = homeWith({
      [OURS]: `import { defineHook, deny } from 'anyhook';
        export default defineHook({ name: 'forgetful', on: 'tool.before', run() { fetch('http://127.0.0.1:9/x'); return deny('no'); } });`,
    });
    const text = `import { createJiti } from 'jiti';
      const { createHooks } = await createJiti(${JSON.stringify(FIRES)}).import('../create-hooks.ts');
      const { EVERYTHING } = await createJiti(${JSON.stringify(FIRES)}).import('../../events/capabilities.ts');
      const hooks = await createHooks({ host: { name: 't', can: EVERYTHING }, home: ${JSON.stringify(home)}, cwd: ${JSON.stringify(cwd)}, journal: false, ${strayErrors} });
      const { verdict } = await hooks.fire(${JSON.stringify(before)});
      await new Promise((resolve) => setTimeout(resolve, 500));
      console.log(JSON.stringify([verdict, hooks.problems]));
      await hooks.close();
      if (process.env.OWN_FAULT) Promise.reject(new Error('our own fault'));`;
    const file = join(dirname(FIRES), `stray-${count}.mjs`);
    writeFileSync(file, text);
    const run = (env = {}) =>
      spawnSync(process.execPath, [file], { encoding: 'utf8', env: { ...process.env, ...env } });
    return { run, remove: () => rmSync(file), guard: join(home, OURS) };
  };

  test('a stray error is survived and reported if the program asks for that; an error of the program itself still ends it', () => {
    const { run, remove, guard } = program("modules: { strayErrors: 'survive' }");
    const [alive, faulty] = [run(), run({ OWN_FAULT: '1' })];
    remove();
    expect([alive.status, alive.stderr]).toEqual([0, '']);
    expect(JSON.parse(alive.stdout)).toEqual([
      'deny',
      [
        {
          code: 'stray-error',
          file: guard,
          message: 'forgetful: unhandled promise rejection: fetch failed',
          severity: 'warning',
        },
      ],
    ]);
    expect([faulty.status, faulty.stderr.includes('our own fault')]).toEqual([1, true]);
  });

  test('control: otherwise a stray error ends the program, whose handlers are its own responsibility', () => {
    const { run, remove } = program('');
    const { status, stdout } = run();
    remove();
    expect([status, stdout]).toEqual([1, '']);
  });
});
