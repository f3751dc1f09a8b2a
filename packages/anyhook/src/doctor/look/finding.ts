import type { ErrorCode } from '../../console/error-codes.ts';

/** Something that a person should know, with its place, the reason and what to do. */
export interface DoctorFinding {
  /** Stable: people grep for it. */
  readonly code: ErrorCode;
  /** A note is worth knowing and nothing is wrong: it does not count as found. */
  readonly severity: 'error' | 'warning' | 'note';
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The id of the hook that it is about. */
  readonly hook?: string;
  readonly what: string;
  readonly why?: string;
  readonly remedy?: string;
}
