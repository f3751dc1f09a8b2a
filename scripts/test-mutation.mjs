/**
 * `npm run test:mutation`: faults planted by Stryker into what decides, area by area; `npm run test:mutation -- merge` does one,
 * `-- merge --only src/engine/lower.ts` one file of it. `-u` keeps the figures in docs/reliability.md. Unchanged sources and tests
 * are not run again (`--all`: they are). Exit 1 when an area is below its share.
 */
// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { keepResults } from '../packages/anyhook/test/faults/keep-results.mjs';
import { AREAS, EQUIVALENT } from '../packages/anyhook/test/mutation/areas.mjs';

/** The last major that runs on Node 20. It is not in the lock file: 65 MB that only this script wants. */
const STRYKER = '9.6.1';
const LEAST = 90;

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/stryker', STRYKER);
const PACKAGE = 'packages/anyhook';
const SANDBOX = '.mutation';

/** @typedef {{ id: string, mutatorName: string, replacement?: string, status: string, static?: boolean, coveredBy?: string[], testsCompleted?: number, location: { start: Place, end: Place } }} Mutant */
/** @typedef {{ line: number, column: number }} Place */
/** @typedef {{ files: Record<string, { source: string, mutants: Mutant[] }>, testFiles?: Record<string, { tests: unknown[] }> }} Report */

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true },
    all: { type: 'boolean' },
    update: { type: 'boolean', short: 'u' },
  },
});
const unknown = positionals.find((name) => !Object.hasOwn(AREAS, name));
if (unknown !== undefined) {
  console.error(`no area '${unknown}': ${Object.keys(AREAS).join(', ')}`);
  process.exit(2);
}

install();
const areas = positionals.length > 0 ? positionals : Object.keys(AREAS);
const scores = areas.map((name) => ({ name, ...weigh(run(name)) }));
for (const { name, killed, counted, equivalent, survivors } of scores) {
  for (const line of survivors) console.log(line);
  console.log(
    `${name}: ${killed} of ${counted} seen (${percent(killed, counted)} %), ${equivalent} equivalent`,
  );
}
if (flags.update === true && flags.only === undefined)
  keepResults(
    scores.map(({ name, killed, counted, equivalent }) => ({
      id: 'G20',
      what: `${AREAS[name]?.what}: ${counted} planted faults`,
      value: `${percent(killed, counted)} % seen by the tests${equivalent > 0 ? `, ${equivalent} more ${equivalent === 1 ? 'makes' : 'make'} no difference` : ''}`,
    })),
  );
process.exitCode = scores.some(({ killed, counted }) => (100 * killed) / counted < LEAST) ? 1 : 0;

function install() {
  if (existsSync(join(CACHE, 'node_modules/@stryker-mutator/vitest-runner'))) return;
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, 'package.json'), '{ "private": true }\n');
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${STRYKER}`);
  // Peers stay out: the vitest it finds further up is ours.
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps', ...packages];
  const { status } = spawnSync('npm', args, { cwd: CACHE, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`Stryker ${STRYKER} could not be installed into ${CACHE}`);
    process.exit(2);
  }
}

/**
 * @param {string} name
 * @returns {Report}
 */
function run(name) {
  const { mutate = [] } = AREAS[name] ?? {};
  const [config, report] = [join(CACHE, `${name}.config.json`), join(CACHE, `${name}.report.json`)];
  const modules = join(CACHE, 'node_modules/@stryker-mutator');
  writeFileSync(
    config,
    JSON.stringify({
      plugins: [pathToFileURL(join(modules, 'vitest-runner/dist/src/index.js')).href],
      testRunner: 'vitest',
      vitest: { configFile: `${PACKAGE}/test/mutation/vitest.config.ts`, related: false },
      mutate: (flags.only ?? mutate).map((file) => `${PACKAGE}/${file}`),
      coverageAnalysis: 'perTest',
      concurrency: Number(process.env['MUTATION_AT_ONCE'] ?? 2),
      timeoutMS: 30_000,
      incremental: true,
      incrementalFile: join(CACHE, `${name}.incremental.json`),
      force: flags.all === true,
      reporters: ['json', 'progress-append-only'],
      jsonReporter: { fileName: report },
      tempDirName: SANDBOX,
      // Types are none of its business, and its reader of tsconfig.json wants an older compiler.
      disableTypeChecks: false,
      tsconfigFile: 'none.json',
      warnings: { slow: false },
      allowConsoleColors: false,
      ignorePatterns: [
        ...['docs', 'bench', 'contrib', 'examples', 'test', 'packages/agent', 'packages/fleet'].map(
          (at) => `/${at}`,
        ),
        ...['dist', 'page', 'recipes'].map((at) => `/${PACKAGE}/${at}`),
      ],
    }),
  );
  rmSync(report, { force: true });
  const { status } = spawnSync(process.execPath, [join(modules, 'core/bin/stryker.js'), 'run', config], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, MUTATION_AREA: name },
  });
  if (!existsSync(report)) {
    console.error(`Stryker left no report of '${name}'`);
    process.exit(status || 2);
  }
  return JSON.parse(readFileSync(report, 'utf8'));
}

/** @param {Report} report */
function weigh({ files, testFiles = {} }) {
  const tests = Object.values(testFiles).reduce((sum, one) => sum + one.tests.length, 0);
  let [killed, counted, equivalent] = [0, 0, 0];
  /** @type {string[]} */
  const survivors = [];
  for (const [file, { source, mutants }] of Object.entries(files))
    for (const mutant of mutants) {
      if (['Ignored', 'CompileError'].includes(mutant.status)) continue;
      const was = cut(source, mutant.location);
      const now = mutant.replacement ?? '';
      const isKilled = isSeen(mutant, tests);
      if (
        !isKilled &&
        EQUIVALENT.some((one) => file.endsWith(one.file) && one.was === was && one.now === now)
      ) {
        equivalent++;
        continue;
      }
      counted++;
      if (isKilled) killed++;
      else {
        const { line, column } = mutant.location.start;
        survivors.push(`${mutant.status} ${file}:${line}:${column} ${short(was)} => ${short(now)}`);
      }
    }
  return { killed, counted, equivalent, survivors };
}

/**
 * A test file that cannot be loaded any more has no tests that fail, which Stryker takes for a pass; `vitest` does not.
 *
 * @param {Mutant} mutant
 * @param {number} tests of all files
 */
function isSeen({ status, static: isStatic, coveredBy = [], testsCompleted }, tests) {
  if (['Killed', 'Timeout', 'RuntimeError'].includes(status)) return true;
  const wanted = isStatic === true ? tests : coveredBy.length;
  return status === 'Survived' && testsCompleted !== undefined && testsCompleted < wanted;
}

/**
 * @param {string} source
 * @param {{ start: Place, end: Place }} location
 */
function cut(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1)?.slice(0, end.column - 1) ?? '';
  lines[0] = lines[0]?.slice(start.column - 1) ?? '';
  return lines.join('\n');
}
/** @param {string} text */
function short(text) {
  const one = text.replaceAll(/\s+/g, ' ');
  return one.length > 90 ? `${one.slice(0, 87)}...` : one;
}
/** @param {number} killed @param {number} counted */
function percent(killed, counted) {
  return counted === 0 ? '0.0' : ((100 * killed) / counted).toFixed(1);
}
