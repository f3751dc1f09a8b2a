import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from './project.ts';

/** Limit for binding a folder that a command searches for code. A larger folder is reported instead. */
export const MAX_IMPLIED = 200;

/** Never bound: git's own files, and bytecode, which the copy leaves out. */
const NEVER = new Set(['.git', '__pycache__']);

/**
 * Returns every file of a project folder, by name from the root. Undefined if it is not a folder or has too
 * many files.
 */
export function folderFiles(project: Project, folder: string, most: number): string[] | undefined {
  const files: string[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const path = join(project.root, next);
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (NEVER.has(entry.name)) continue;
      const name = `${next}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(name);
      else files.push(name);
      if (files.length > most) return undefined;
    }
  }
  return files.toSorted();
}
