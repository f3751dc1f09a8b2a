/** Limits of isolated processes and their hooks. */

/** A process that ends this often in a row without an answer is not started again. */
export const MOST_DEATHS = 5;
/** Time for the process itself to start, before the module's own deadline. */
export const START_MS = 10_000;
/** The process enforces the module's deadline itself; after this margin, the host kills it. */
export const MARGIN_MS = 2_000;
/** Time for a call to reach its hook, in addition to the hook's own time. */
export const BEGIN_MS = 1_000;
/** How long a hook may take to react to an abort. */
export const GRACE_MS = 250;
/** The same for a tool or command, which may need to clean up. */
export const USE_GRACE_MS = 2_000;
/**
 * A tool or command has no deadline and may wait for the user, but its process must respond within this time.
 */
export const STALL_MS = 30_000;
