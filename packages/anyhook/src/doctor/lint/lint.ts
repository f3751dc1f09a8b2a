import type { DoctorFinding } from '../look/finding.ts';
import type { Inspection } from '../look/inspection.ts';

/** Looks at what was read, and touches nothing else than it must. */
export type Lint = (looked: Inspection) => readonly DoctorFinding[];
