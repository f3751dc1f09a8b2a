import { readFileSync } from 'node:fs';
import { packageFile } from '../own-files.mjs';

/** Fields of our own package.json. */
export function manifest(): { readonly version: string; readonly homepage: string } {
  const text = readFileSync(packageFile('package.json'), 'utf8');
  return JSON.parse(text) as { version: string; homepage: string };
}

export const version = (): string => manifest().version;
