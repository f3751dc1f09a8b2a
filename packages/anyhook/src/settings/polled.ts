/**
 * Returns a function that caches the result of `look` for `everyMs`; with 0 it looks at every call. Nothing
 * runs between calls.
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

/**
 * Returns a function that tells whether the value has changed since its last call. Cached in the same way.
 */
export function changes(look: () => unknown, everyMs: number): () => boolean {
  let known = look();
  const latest = polled(look, everyMs);
  return () => {
    const before = known;
    known = latest();
    return known !== before;
  };
}
