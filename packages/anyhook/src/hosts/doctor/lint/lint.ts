import type { Finding } from '../look/finding.ts';
import type { Looked } from '../look/looked.ts';

/** Looks at what was read, and touches nothing else than it must. */
export type Lint = (looked: Looked) => readonly Finding[];
