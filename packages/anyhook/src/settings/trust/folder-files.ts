import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from './project.ts';

/** A folder that a command searches for code is bound whole up to so many files; a larger one is said to be too much. */
export const MAX_IMPLIED = 200;

/** Never bound with a folder: git's own files, and bytecode, which the copy leaves out. */
const NEVER = new Set(['.git', '__pycache__']);

/** Every file of a folder of the project, by name from the root; nothing where it is no folder or holds too many. */
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
