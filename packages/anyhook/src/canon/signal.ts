/** For whoever has nothing to abort with. */
export const NEVER: AbortSignal = new AbortController().signal;
