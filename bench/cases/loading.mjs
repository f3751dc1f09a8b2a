// A published plugin in our loader against a plain `import()` of it, each in a process of its own: warm, with what an
// earlier start has kept, and cold, in a home where nothing was ever loaded. Measured where `npm run test:wild` has
// installed it; a package that is not there is left out.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compared, interleaved } from '../measure.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const LOADER = here('../../packages/anyhook/dist/internals.js');
const root = mkdtempSync(join(tmpdir(), 'anyhook-loading-'));
const ROUNDS = 7;
let homes = 0;
const newHome = () => {
  const home = join(root, String(++homes));
  mkdirSync(home);
  return home;
};
const wild = (name) => here(`../../.cache/clients/wild/${name}/node_modules/${name}/dist/index.js`);

/** The time of the import alone, as the program itself measures it. */
const timed = (code, file, home) => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code, file], {
    env: { PATH: process.env.PATH, HOME: home },
    encoding: 'utf8',
  });
  const took = Number(/@@([\d.]+)/.exec(stdout)?.[1]);
  if (!(took > 0)) throw new Error(stderr);
  return took;
};
const program = (work) =>
  `const file = process.argv[1]; ${work.before ?? ''} const t = performance.now(); ${work.load} console.log('@@' + (performance.now() - t)); process.exit(0);`;
const OURS = program({
  before: `const { loadModule } = await import(${JSON.stringify(LOADER)});`,
  load: 'if (!(await loadModule(file)).ok) process.exit(1);',
});
const THEIRS = program({ load: 'await import(file);' });

/** Interleaved, round by round: a busy machine slows both alike. @param {string} name @param {'warm' | 'cold'} how */
async function measured(name, how) {
  const file = wild(name);
  const kept = newHome();
  if (how === 'warm') timed(OURS, file, kept);
  const home = () => (how === 'warm' ? kept : newHome());
  const list = await interleaved(
    {
      ours: () => timed(OURS, file, home()) * 1e6,
      theirs: () => timed(THEIRS, file, home()) * 1e6,
    },
    { rounds: ROUNDS, warm: 0 },
  );
  return compared(list);
}
const rowOf = (name, how) => ({
  name: `loading ${name}, ${how}`,
  against: 'a plain `import()`',
  target: how === 'warm' ? 1.3 : 3,
});

const [rows, absent] = [[], []];
for (const name of ['oh-my-opencode', 'cc-safety-net'])
  for (const how of ['warm', 'cold'])
    if (existsSync(wild(name))) rows.push({ ...rowOf(name, how), ...(await measured(name, how)) });
    else absent.push(rowOf(name, how));
rmSync(root, { recursive: true, force: true });
export default { rows, absent, bring: 'npm run test:wild' };
