import { describeThrown } from '../../../runners/module/thrown.mjs';

/** What was thrown, as the one line of an error record. */
export const thrownLine = (thrown: unknown): string =>
  (typeof thrown === 'object' && thrown !== null) || typeof thrown === 'function'
    ? describeThrown(thrown).message
    : String(thrown);
