/** How much of a hook's text Goose reads, cut between characters. */
export const CONTEXT_BYTES = 32_768;
export const REASON_BYTES = 4096;
