import { describeThrown } from '../../../runners/module/thrown.mjs';

/** Formats a thrown value as the single line of an error record. */
export const thrownLine = (thrown: unknown): string =>
  (typeof thrown === 'object' && thrown !== null) || typeof thrown === 'function'
    ? describeThrown(thrown).message
    : String(thrown);
