import type { ErrorCode } from '../../console/error-codes.ts';

/** Something the user should know: location, reason and remedy. */
export interface DoctorFinding {
  /** Stable, because people grep for it. */
  readonly code: ErrorCode;
  /** A note is worth knowing but not a problem, so it does not affect the exit code. */
  readonly severity: 'error' | 'warning' | 'note';
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Id of the hook concerned. */
  readonly hook?: string;
  readonly what: string;
  readonly why?: string;
  readonly remedy?: string;
}
