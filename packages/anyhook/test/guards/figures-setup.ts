/**
 * Prints the figures of all files at the end and compares them with SECURITY.md; `npm run test:guards -- -u` updates
 * it.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import type { Figure } from './figures.ts';

const PAGE = fileURLToPath(new URL('../../../../SECURITY.md', import.meta.url));
const [BEGIN, END] = ['<!-- figures:begin -->', '<!-- figures:end -->'];

export default function setup({ config }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'anyhook-figures-'));
  const file = join(folder, 'figures.jsonl');
  writeFileSync(file, '');
  process.env['ANYHOOK_FIGURES'] = file;
  return () => {
    const figures = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Figure)
      .toSorted((a, b) => a.label.localeCompare(b.label));
    rmSync(folder, { recursive: true, force: true });
    process.stdout.write(`\n${figures.map(({ label, value }) => `${label}: ${value}`).join('\n')}\n`);
    holdPage(
      figures.filter(({ isFixed }) => isFixed),
      config.snapshotOptions.updateSnapshot === 'all' ? 'write' : 'compare',
    );
  };
}

/** A partial run compares only its own rows. */
function holdPage(figures: readonly Figure[], mode: 'write' | 'compare'): void {
  const page = readFileSync(PAGE, 'utf8');
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (start === -1 || end === -1) throw new Error(`SECURITY.md has no ${BEGIN}`);
  const shown = new Map(
    [...page.slice(start, end).matchAll(/^\| (?!figure|---)(.+?) \| (.+?) \|$/gm)].map(
      ([, label, value]) => [label!.trim(), value!.trim()] as const,
    ),
  );
  const stale = figures.filter(({ label, value }) => shown.get(label) !== value);
  if (stale.length === 0) return;
  if (mode === 'compare') {
    const lines = stale.map(({ label, value }) => `${label}: ${value}, not ${shown.get(label) ?? 'there'}`);
    process.stderr.write(
      `\nSECURITY.md shows other figures; \`npm run test:guards -- -u\` writes them:\n${lines.join('\n')}\n`,
    );
    process.exitCode = 1; // An exception in teardown is printed but does not fail the run, so set the exit code.
    return;
  }
  for (const { label, value } of figures) shown.set(label, value);
  const rows = [['figure', ''] as const, ...[...shown].toSorted(([a], [b]) => a.localeCompare(b))];
  const widths = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]!.length)));
  const lines = rows.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`);
  const table = [lines[0], `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...lines.slice(1)];
  writeFileSync(PAGE, `${page.slice(0, start)}${BEGIN}\n\n${table.join('\n')}\n\n${page.slice(end)}`);
}
