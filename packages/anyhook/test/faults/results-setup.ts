/** Prints the figures when all files are through; `-- -u` keeps them in results.json, with date and machine. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { Result } from './results.ts';

const KEPT = join(import.meta.dirname, 'results.json');

export interface KeptResult extends Result {
  readonly date: string;
  readonly machine: string;
}

export default function setup({ config }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'anyhook-results-'));
  const file = join(folder, 'results.jsonl');
  writeFileSync(file, '');
  process.env['ANYHOOK_RESULTS'] = file;
  return () => {
    const results = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Result)
      .toSorted(byId);
    rmSync(folder, { recursive: true, force: true });
    process.stdout.write(`\n${results.map(({ id, what, value }) => `${id} ${what}: ${value}`).join('\n')}\n`);
    if (config.snapshotOptions.updateSnapshot === 'all') keep(results);
  };
}

/** Rows of a part of the suite replace their own; those of the rest stay as they were measured. */
function keep(results: readonly Result[]): void {
  const date = new Date().toISOString().slice(0, 10);
  const known = existsSync(KEPT) ? (JSON.parse(readFileSync(KEPT, 'utf8')) as KeptResult[]) : [];
  const fresh = results.map((one) => ({ ...one, date, machine: machine() }));
  const isSame = (a: Result, b: Result) => a.id === b.id && uncounted(a.what) === uncounted(b.what);
  const others = known.filter((old) => !fresh.some((one) => isSame(one, old)));
  writeFileSync(KEPT, `${JSON.stringify([...others, ...fresh].toSorted(byId), null, 2)}\n`);
}
/** A figure is the same however much of it was counted; how much stands in the row. */
const uncounted = (what: string): string => what.replaceAll(/[\d,.]+/g, '#');

const byId = (a: Result, b: Result): number =>
  Number(a.id.slice(1)) - Number(b.id.slice(1)) || a.what.localeCompare(b.what, 'en');

function machine(): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return `${type()} ${release()}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${memory}, Node ${process.versions.node}`;
}
