/** The files of a policy that somebody is writing. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type PolicyFile, PolicyError } from './archive.ts';

/** Tools leave these behind; nobody means them. */
const PASSED_OVER = new Set(['.git', '.DS_Store', 'node_modules']);

export function filesIn(folder: string): readonly PolicyFile[] {
  const walk = (path: string): PolicyFile[] => {
    const stats = lstatSync(path);
    if (stats.isDirectory())
      return readdirSync(path)
        .filter((name) => !PASSED_OVER.has(name))
        .flatMap((name) => walk(join(path, name)));
    if (!stats.isFile())
      throw new PolicyError(`${path} is no plain file; a policy is made of files and folders alone`);
    return [{ name: relative(folder, path).split(sep).join('/'), bytes: readFileSync(path) }];
  };
  return walk(folder);
}
