/**
 * `node bench/undo.mjs [files] [bytes per file]`: the first snapshot of a tree against `git add -A` of the same tree into an empty index,
 * and what a call adds when nothing changed. Prints ratios of one run, because the machine may be busy.
 */

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const [files = 50_000, bytes = 20_000] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'anyhook-bench-undo-'));
const project = join(folder, 'project');
const SOURCE = new URL('../packages/anyhook/src/', import.meta.url).pathname;

const timed = async (work) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};
/** Processor time, which depends less on what else the machine does. */
const worked = async (work) => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
const shown = (ms) => `${ms < 100 ? ms.toFixed(1) : Math.round(ms)} ms`;

try {
  for (let at = 0; at < files; at++) {
    if (at % 10 === 0) mkdirSync(join(project, String(Math.floor(at / 10))), { recursive: true });
    const unique = randomBytes(32).toString('hex');
    writeFileSync(
      join(project, String(Math.floor(at / 10)), `${at}.txt`),
      `${unique}\n`.repeat(Math.max(1, Math.round(bytes / 65))),
    );
  }
  const program = join(folder, 'store.mjs');
  await build({
    stdin: {
      contents: `export { UndoStore } from '${SOURCE}undo/store.ts'; export { DEFAULT_UNDO } from '${SOURCE}events/undo-settings.ts';`,
      resolveDir: SOURCE,
    },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  const { UndoStore, DEFAULT_UNDO } = await import(pathToFileURL(program).href);
  const store = new UndoStore(join(folder, 'stores'), project, DEFAULT_UNDO);
  const call = { agent: 'bench', session: 's', tool: 'shell', what: 'x' };
  execFileSync('git', ['init', '-q', project]);
  const git = await timed(() => execFileSync('git', ['-C', project, 'add', '-A']));
  const first = await timed(() => store.begin(call));
  const ended = await timed(() => store.end('bench', 's'));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const [same, sameWork] = [[], []];
  for (let round = 0; round < 5; round++) {
    sameWork.push(await worked(async () => same.push(await timed(() => store.begin(call)))));
    await store.end('bench', 's');
  }
  const edits = [];
  for (let round = 0; round < 20; round++) {
    edits.push(await timed(() => store.begin({ ...call, tool: 'edit', paths: ['0/1.txt'] })));
    await store.end('bench', 's');
  }
  const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  console.log(`${files} files, ${Math.round((files * bytes) / 1e6)} MB`);
  console.log(
    `git add -A: ${shown(git)}; first snapshot: ${shown(first)}, ${(first / git).toFixed(2)} x; end: ${shown(ended)}`,
  );
  console.log(
    `nothing changed: a command ${shown(median(same))} (${shown(median(sameWork))} of processor time), a call that names its file ${shown(median(edits))}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
