import { readdirSync } from 'node:fs';

/** Those of a folder, by name. A folder that is not there yet has none. */
export function journalsIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
      .map(({ name }) => name)
      .toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The head of the session that a file, or a later part of it, belongs to. */
export const headOf = (name: string): string => name.replace(/(?:~~\d+)?\.jsonl$/, '.head');
