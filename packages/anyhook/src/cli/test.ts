import { spawn } from 'node:child_process';
import { existsSync, statSync, watch, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { findCases } from '../cases/find.ts';
import { readCases } from '../cases/read.ts';
import { github, junit, resultLines, summaryLines } from '../cases/report.ts';
import { runSuite } from '../cases/run.ts';
import type { Result } from '../cases/settle.ts';
import type { SuiteFault } from '../cases/suite.ts';
import { paint, print, printJson, screenFor } from '../console/print.ts';
import { UsageError } from '../console/usage.ts';
import { shortPath } from '../render/screen.ts';
import type { Define } from './commands.ts';

interface Options {
  readonly json?: boolean;
  readonly junit?: string;
  readonly github?: boolean;
  readonly watch?: boolean;
  readonly user?: boolean;
}

export const define: Define = (command, done) => {
  command
    .argument('[files...]', 'Test files or folders; default: *.test.yaml and *.cases.ts below this folder')
    .option('--user', 'Also run your own hooks, not only those of the project')
    .option('--junit <file>', 'Also write JUnit XML')
    .option('--github', 'Also print GitHub annotations (on by default in GitHub Actions)')
    .option('--watch', 'Run again when a file changes')
    .option('--json', 'Print JSON')
    .action(async (files: string[], options: Options) =>
      done(await (options.watch === true ? watchAll(files) : test(files, options))),
    );
};

/** Exit 1 if a case fails, 2 if there is none or a file cannot be read. */
async function test(named: readonly string[], options: Options): Promise<number> {
  const files = filesOf(named);
  const screen = screenFor(undefined);
  const results: Result[] = [];
  const faults: SuiteFault[] = [];
  for (const file of files) {
    const read = await readCases(file);
    faults.push(...read.faults);
    if (!('suite' in read)) continue;
    if (options.json !== true) print([paint('bold', shortPath(file, screen))]);
    const show = (result: Result) => options.json !== true && print(resultLines(result, screen));
    results.push(...(await runSuite(read.suite, show, { withUserHooks: options.user === true })));
  }
  report(results, faults, options);
  if (faults.length > 0) return 2;
  return results.some(({ failures }) => failures.length > 0) ? 1 : 0;
}

function filesOf(named: readonly string[]): string[] {
  const files = (named.length === 0 ? ['.'] : named).flatMap((name) => {
    if (!existsSync(name)) throw new UsageError(`test: ${name}: no such file`);
    return statSync(name).isDirectory() ? findCases(resolve(name)) : [resolve(name)];
  });
  if (files.length > 0) return files;
  throw new UsageError('test: no test files here (*.test.yaml, *.cases.ts). To write some: anyhook init');
}

function report(results: readonly Result[], faults: readonly SuiteFault[], options: Options): void {
  const short = <T extends { readonly file: string }>(list: readonly T[]): T[] =>
    list.map((entry) => ({ ...entry, file: relative(process.cwd(), entry.file) }));
  if (options.json === true)
    printJson({
      results: short(results).map((result) =>
        result.failures.length === 0 ? result : { ...result, code: 'case-failed' },
      ),
      faults: short(faults).map((fault) => ({ ...fault, code: 'bad-case' })),
    });
  else print(summaryLines(results, faults, screenFor(undefined)));
  if (options.junit !== undefined) writeFileSync(options.junit, junit(short(results), short(faults)));
  if (options.github === true || (process.env['GITHUB_ACTIONS'] === 'true' && options.json !== true))
    print(github(short(results), short(faults)));
}

const SETTLED_MS = 100;

/** Each run gets a process of its own, because a loaded module stays loaded. Ends with Ctrl-C. */
async function watchAll(named: readonly string[]): Promise<number> {
  const args = process.argv.slice(1).filter((word) => word !== '--watch');
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  const round = () => {
    if (running) return void (timer = setTimeout(round, SETTLED_MS));
    running = true;
    spawn(process.execPath, args, { stdio: 'inherit' }).on('exit', () => void (running = false));
  };
  for (const folder of new Set(filesOf(named).map((file) => dirname(file))))
    watch(folder, { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(round, SETTLED_MS);
    });
  round();
  return new Promise<number>(() => {}); // the watchers keep the process alive
}
