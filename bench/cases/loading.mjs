// A published plugin in our loader against a plain `import()` of it, each in a process of its own. Measured where
// `npm run test:wild` has installed it; a package that is not there is left out.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { versus } from '../measure.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const LOADER = here('../../packages/anyhook/dist/runners/module/load-module.mjs');
const home = mkdtempSync(join(tmpdir(), 'anyhook-loading-'));
const wild = (name) => here(`../../.cache/clients/wild/${name}/node_modules/${name}/dist/index.js`);

/** The time of the import alone, as the program itself measures it. */
const timed = (code, file) => {
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

async function row(name) {
  const file = wild(name);
  if (!existsSync(file)) return undefined;
  const sums = { ours: 0, theirs: 0 };
  await versus(
    () => void (sums.ours += timed(OURS, file)),
    () => void (sums.theirs += timed(THEIRS, file)),
    { times: 1, rounds: 7 },
  );
  const [oursNs, theirsNs] = [sums.ours, sums.theirs].map((ms) => (ms / 9) * 1e6);
  return {
    name: `loading ${name}`,
    against: 'a plain `import()`',
    target: 1.3,
    oursNs,
    theirsNs,
    ratio: oursNs / theirsNs,
  };
}

const [first, also] = (await Promise.all(['oh-my-opencode', 'cc-safety-net'].map(row))).filter(Boolean);
rmSync(home, { recursive: true, force: true });
export default first === undefined ? null : { ...first, ...(also && { also }) };
