import { statSync } from 'node:fs';

/** Another build may read settings otherwise: what it remembers is its own. The mark is set when the files are bundled. */
export const buildOf = (bin: string): string => `@build@ ${statSync(bin).mtimeMs}`;
