import type { DoctorFinding } from '../look/finding.ts';
import type { Inspection } from '../look/inspection.ts';

/** One check of doctor. */
export type Lint = (looked: Inspection) => readonly DoctorFinding[];
