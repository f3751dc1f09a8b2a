/** Other agents start `anyhook fire` for every event: what a fire does not need is not loaded. Runs the built package. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

/** Before it was bundled: the modules are then still to be seen. */
const FIRE = new URL('../dist/hosts/cli/main-fire.js', import.meta.url).href;
const root = mkdtempSync(join(tmpdir(), 'anyhook-loads-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const LOG = join(root, 'loads.txt');
writeFileSync(
  join(root, 'trace.mjs'),
  `import { appendFileSync } from 'node:fs';
   export async function load(url, context, next) { appendFileSync(${JSON.stringify(LOG)}, url + '\\n'); return next(url, context); }`,
);
writeFileSync(
  join(root, 'register.mjs'),
  `import { register, Module } from 'node:module';
   import { appendFileSync } from 'node:fs';
   register(${JSON.stringify(pathToFileURL(join(root, 'trace.mjs')).href)});
   const before = Module._load;
   Module._load = (name, ...rest) => { appendFileSync(${JSON.stringify(LOG)}, 'require ' + name + '\\n'); return before(name, ...rest); };`,
);
writeFileSync(
  join(root, 'fire.mjs'),
  `import { mainFire } from '${FIRE}'; await mainFire(process.argv.slice(2));`,
);

/** The modules of a fire, by what stands in the user's settings. */
function loadedBy(settings: object): string[] {
  const home = mkdtempSync(join(root, 'home-'));
  mkdirSync(join(home, '.config/anyhook'), { recursive: true });
  writeFileSync(join(home, '.config/anyhook/hooks.json'), JSON.stringify(settings));
  writeFileSync(LOG, '');
  execFileSync(
    process.execPath,
    ['--import', join(root, 'register.mjs'), join(root, 'fire.mjs'), '--as', 'anyhook', 'tool.before'],
    {
      cwd: mkdtempSync(join(home, 'project-')),
      env: { PATH: process.env['PATH'], HOME: home },
      input: '{"tool":"read","input":{"path":"x"}}',
    },
  );
  return readFileSync(LOG, 'utf8').split('\n');
}
const HEAVY = ['zod', 'commander', 'jiti', '@modelcontextprotocol', 'unbash', 're2js'];
const heavyIn = (loads: readonly string[]) =>
  HEAVY.filter((name) =>
    loads.some((load) => load.includes(`/node_modules/${name}/`) || load === `require ${name}`),
  );
const roomsIn = (loads: readonly string[], ...rooms: string[]) =>
  rooms.filter((room) => loads.some((load) => load.includes(`/dist/${room}`)));

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

  test.each([
    ['fits', '{"input":{"path":"y"}}'],
    ['does not fit', '{"effects":[{"kind":"set","at":["input"],"to":5}]}'],
  ])('whose command says a value that %s loads no library to find out', (_what, answer) => {
    const run = `echo '${answer}'`;
    const loads = loadedBy({ hooks: { 'tool.before': [{ match: 'read', run, onFailure: 'allow' }] } });
    expect(heavyIn(loads)).toEqual([]);
  });
});
