import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CASES = /\.test\.ya?ml$|\.cases\.(?:ts|js|mjs)$/;
const PASSED_OVER: ReadonlySet<string> = new Set(['node_modules', '.git', 'dist']);
const DEEPEST = 5;

/** `*.test.yaml` that speak of cases, and `*.cases.ts`, in this folder and below. */
export function findCases(folder: string, depth = 0): string[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return depth < DEEPEST && !PASSED_OVER.has(entry.name) ? findCases(path, depth + 1) : [];
    return entry.isFile() && CASES.test(entry.name) && isOurs(path) ? [path] : [];
  });
}

/** Other programs use the same file names. Our files have a key `cases`. */
const isOurs = (file: string): boolean =>
  !/\.ya?ml$/.test(file) || /^["']?cases["']?\s*:/m.test(readFileSync(file, 'utf8'));
