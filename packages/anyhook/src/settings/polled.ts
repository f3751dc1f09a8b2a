/**
 * Returns what `look` saw last, and looks again only if that was `everyMs` ago; with 0, at every call. While nobody asks,
 * nobody looks.
 */
export function polled<T>(look: () => T, everyMs: number): () => T {
  let lookedAtMs = -Infinity;
  let found: T;
  return () => {
    const nowMs = performance.now();
    if (nowMs - lookedAtMs >= everyMs) {
      lookedAtMs = nowMs;
      found = look();
    }
    return found;
  };
}

/** Has the value changed since this was last asked? Polled in the same way. */
export function changes(look: () => unknown, everyMs: number): () => boolean {
  let known = look();
  const latest = polled(look, everyMs);
  return () => {
    const before = known;
    known = latest();
    return known !== before;
  };
}
