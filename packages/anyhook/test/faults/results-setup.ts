/** Prints the figures after all files; `-- -u` stores them in results.json with date and machine. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { byId, keepResults } from './keep-results.mjs';
import type { Result } from './results.ts';

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
    process.stdout.write(
      `\n${results.map(({ id, what, value, isControl }) => `${id} ${isControl ? 'control: ' : ''}${what}: ${value}`).join('\n')}\n`,
    );
    if (config.snapshotOptions.updateSnapshot === 'all') keepResults(results);
  };
}
