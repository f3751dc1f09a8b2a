/** What an isolated process and what runs in it are allowed. */

/** A process that ends that often in a row, without an answer in between, is not started again. */
export const MOST_DEATHS = 5;
/** For the process itself to start, before the module's own deadline. */
export const START_MS = 10_000;
/** The process keeps the module's deadline itself; this ends one that cannot. */
export const MARGIN_MS = 2_000;
/** For a call to reach its hook, beside the hook's own time. */
export const BEGIN_MS = 1_000;
/** How long a hook may take to notice that it was called off. */
export const GRACE_MS = 250;
/** The same for a tool or a command: it may have something to put in order. */
export const USE_GRACE_MS = 2_000;
/** A tool or a command may take its time and wait for a person; a process that does not even answer may not. */
export const STALL_MS = 30_000;
