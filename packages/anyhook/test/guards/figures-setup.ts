/** Collects the figures of all files, and prints them once at the end. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'anyhook-figures-'));
  const file = join(folder, 'figures');
  writeFileSync(file, '');
  process.env['ANYHOOK_FIGURES'] = file;
  return () => {
    process.stdout.write(`\n${readFileSync(file, 'utf8').split('\n').toSorted().join('\n').trim()}\n`);
    rmSync(folder, { recursive: true, force: true });
  };
}
