/**
 * For a program that stays: a property per call, a look at the disk five times a second at most, none while idle. `onStale`:
 * what was seen last may not be true any more.
 */
export function polled<T>(look: () => T, onStale: () => void = () => {}, everyMs = 200): () => T {
  let isFresh = false;
  let seen: T;
  const grow = () => {
    isFresh = false;
    onStale();
  };
  return () => {
    if (!isFresh) {
      isFresh = true;
      seen = look();
      setTimeout(grow, everyMs).unref();
    }
    return seen;
  };
}

/** True once whenever the value is another than before; looked at as seldom. */
export function changes(look: () => unknown, onStale: () => void = () => {}, everyMs = 200): () => boolean {
  let isFresh = false;
  let seen = look();
  const grow = () => {
    isFresh = false;
    onStale();
  };
  return () => {
    if (isFresh) return false;
    isFresh = true;
    setTimeout(grow, everyMs).unref();
    const before = seen;
    seen = look();
    return seen !== before;
  };
}
