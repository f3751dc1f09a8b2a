/**
 * Node opens all files of a program at once while it loads it. Where there are fewer handles than that, ours are loaded one after
 * another, those that need no other first: there is always a handle to be had.
 */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';

/** With so many nobody has to wait. */
const PLENTY = 512;
const IMPORTED = /^(?:import|export)\b(?:[^'";=(]*?\bfrom)?\s*["'](\.\.?\/[^"']+)["']/gm;

/** What is loaded already costs nothing; what cannot be read is said by whoever really imports it. */
export async function loadInTurn(): Promise<void> {
  if (mostHandles() >= PLENTY) return;
  const entry = new URL(`./create-hooks${extname(import.meta.url)}`, import.meta.url);
  for (const url of leavesFirst(entry.href)) await import(url);
}

/** How many files this process may have open; endless where the system does not say. */
function mostHandles(): number {
  try {
    const [, most = ''] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return most === '' ? Infinity : Number(most);
  } catch {
    return Infinity;
  }
}

/** Every file that is loaded with this one, each behind those that it imports. */
function leavesFirst(entry: string): readonly string[] {
  const order = new Set<string>();
  const begun = new Set<string>();
  const visit = (url: string): void => {
    if (begun.has(url)) return;
    begun.add(url);
    for (const [, path] of sourceOf(url).matchAll(IMPORTED)) visit(new URL(path!, url).href);
    order.add(url);
  };
  visit(entry);
  return [...order];
}

function sourceOf(url: string): string {
  try {
    return readFileSync(new URL(url), 'utf8');
  } catch {
    return '';
  }
}
