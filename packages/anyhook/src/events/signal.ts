/** A signal that never aborts. All of the program share it: whoever waits for it is not kept, or one would wait with the next. */
export const NEVER: AbortSignal = Object.assign(new AbortController().signal, { addEventListener() {} });
