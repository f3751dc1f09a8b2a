/** Tests the benchmark: a slow median fails, an explained miss is not a pass, and every target has a row. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'anyhook-planted-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PAGE = readFileSync(here('../docs/benchmarks.md'), 'utf8');
const EXPLAINED = Object.keys(
  JSON.parse(readFileSync(here('../bench/explained.json'), 'utf8')) as Record<string, string>,
)[0]!;

/** Runs the benchmark with one case. Each row has a name, the times of seven rounds, and a target. */
function bench(
  rows: readonly { name: string; ratios: readonly number[]; target?: number }[],
  ...words: string[]
) {
  const measure = JSON.stringify(here('../bench/measure.mjs'));
  writeFileSync(
    join(folder, 'planted.mjs'),
    `import { compared } from ${measure};
const rows = ${JSON.stringify(rows)}.map(({ ratios, ...row }) => ({
  ...row,
  against: 'nothing',
  ...compared(ratios.map((ratio) => ({ ours: ratio * 100, theirs: 100 }))),
}));
export default { rows };
`,
  );
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [here('../bench/run.mjs'), '--cases', folder, ...words],
    { encoding: 'utf8' },
  );
  const lines = stdout.split('\n').filter((line) => line.startsWith('| ') && line.includes('nothing'));
  return { status, lines, stderr };
}
const around = (middle: number) => [0.1, middle, middle, middle, middle, middle, 9].toSorted();

describe('npm run bench', () => {
  test('a median within its target passes and is printed with its spread, whatever single rounds were', () => {
    const { status, lines } = bench([{ name: 'within', ratios: around(1), target: 1.2 }], '--check');
    expect([status, lines]).toEqual([
      0,
      ['| within | nothing | 100.0 ns | 100.0 ns | 1.00 × [0.10 to 9.00] | ≤ 1.2 × | met |'],
    ]);
  });

  test.each([[['--check']], [[]]])('a median above its target is named and exits with 1 (%j)', (words) => {
    const { status, lines, stderr } = bench([{ name: 'beyond', ratios: around(2), target: 1.2 }], ...words);
    expect([status, lines, stderr.includes('missed: beyond')]).toEqual([
      1,
      ['| beyond | nothing | 200.0 ns | 100.0 ns | 2.00 × [0.10 to 9.00] | ≤ 1.2 × | missed |'],
      true,
    ]);
  });

  test('an explained miss is marked as both, and fails with --check', () => {
    const rows = [{ name: EXPLAINED, ratios: around(2), target: 1.2 }];
    expect([bench(rows).status, bench(rows, '--check').status]).toEqual([0, 1]);
    expect(bench(rows, '--check').lines[0]).toMatch(/\| missed, explained \|$/);
  });

  test('fewer than seven rounds are not a measurement', () => {
    const { status, stderr } = bench([{ name: 'few', ratios: [1, 1, 1], target: 2 }]);
    expect([status, stderr.includes('3 rounds; at least 7 are measured')]).toEqual([1, true]);
  });

  test('a missing tool is not measured, is not a miss, and the output says how to get it', () => {
    writeFileSync(
      join(folder, 'planted.mjs'),
      `export default { absent: [{ name: 'gone', against: 'nothing', target: 1 }], bring: 'npm run bench:peers' };`,
    );
    const { status, stdout } = spawnSync(
      process.execPath,
      [here('../bench/run.mjs'), '--cases', folder, '--check'],
      { encoding: 'utf8' },
    );
    expect([status, stdout.split('\n').filter((line) => line.startsWith('| gone'))]).toEqual([
      0,
      ['| gone | nothing |  |  | after `npm run bench:peers` | ≤ 1 × | not measured here |'],
    ]);
  });
});

/** Documented targets: the beginning of the row's name, and the target. */
const PROMISED = [
  ["an agent's line: no hook listens", '≤ 1.3 ×'],
  ["an agent's line: one TypeScript module", '≤ 1.7 ×'],
  ["an agent's line: one shell hook", '≤ 1.7 ×'],
  ["an agent's line: 100 KB of payload", '≤ 1.3 ×'],
  ['the Node client, one TypeScript module', '≤ 1.3 ×'],
  ['the first event, the daemon does not run', '≤ 8 ×'],
  ['memory of 50 sessions without modules', '≤ 150 MB'],
  ['memory of one session with modules', '≤ 60 MB'],
  ['in Claude Code, added to a tool call: our bridge, one TypeScript module', '≤ 1.5 ×'],
  ['in opencode: one call with ten typed hooks', '≤ 1 ms more'],
  ['in pi: one call with ten typed hooks', '≤ 1 ms more'],
  ['in oh-my-pi: one call with ten typed hooks', '≤ 1 ms more'],
  ['a Node script, `"warm": "prespawn"`', '≤ 0.25 ×'],
  ['a Python script, `"warm": "prespawn"`', '≤ 0.25 ×'],
  ['`createHooks`: fifty hooks of five dialects', '≤ 1 ×'],
  ['10 synchronous hooks', '≤ 3 ×'],
  ['a journal record per fire', '≤ 15 µs more'],
  ['event loop held up per command hook, 1 GB host', '≤ 0.3 ms'],
  ['ten synchronous handlers of a tool call, beside OpenCode', '≤ 1 ×'],
  ['ten asynchronous handlers of a tool call, beside OpenCode', '≤ 1 ×'],
  ['ten synchronous handlers of a tool call, beside oh-my-pi', '≤ 1 ×'],
  ['ten asynchronous handlers of a tool call, beside oh-my-pi', '≤ 1 ×'],
  ['ten synchronous handlers of a tool call, beside Gemini CLI', '≤ 1 ×'],
  ['ten asynchronous handlers of a tool call, beside Gemini CLI', '≤ 1 ×'],
  ['control protocol: one hook callback', '≤ 0.9 ×'],
  ['control protocol: ten hook callbacks at once', '≤ 0.7 ×'],
  ['memory of 10,000 hooks, above bare Node', '≤ 25 MB'],
  ['growth: a fire, recorded, in a host that has seen 1,000 sessions', '≤ 1.2 ×'],
  ['growth: a fire, recorded, in a session with 10 MB of journal', '≤ 1.2 ×'],
  ['growth: a fire where 10,000 hooks listen to another event', '≤ 1.2 ×'],
  ['`anyhook log` with 1 GB of journal', '≤ 2 ×'],
  ['`anyhook why --last` with 1 GB of journal', '≤ 2 ×'],
  ['`anyhook doctor` with 1 GB of journal', '≤ 2 ×'],
] as const;

test.each(PROMISED)('the performance page has a row for %s', (name, target) => {
  const row = PAGE.split('\n').find((line) => line.startsWith(`| ${name}`));
  expect(row?.split(' | ').at(-2)).toBe(target);
});
