import type { DoctorFinding } from '../look/finding.ts';
import type { Inspection } from '../look/inspection.ts';

/** Judges an inspection without touching more than it must. */
export type Lint = (looked: Inspection) => readonly DoctorFinding[];
