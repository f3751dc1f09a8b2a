/** A signal that never aborts, shared by the whole program. It drops listeners, or they would accumulate. */
export const NEVER: AbortSignal = Object.assign(new AbortController().signal, { addEventListener() {} });
