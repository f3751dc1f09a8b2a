/**
 * For a program that stays: returns what `look` saw last, and looks again only when that is older than `everyMs`. While nobody
 * asks, nobody looks. `onStale` is called when what was seen has become too old to be relied on.
 */
export function polled<T>(look: () => T, onStale: () => void = () => {}, everyMs = 200): () => T {
  let isFresh = false;
  let seen: T;
  const expire = () => {
    isFresh = false;
    onStale();
  };
  return () => {
    if (!isFresh) {
      isFresh = true;
      seen = look();
      setTimeout(expire, everyMs).unref();
    }
    return seen;
  };
}

/** Has the value changed since this was last asked? Polled in the same way. */
export function changes(look: () => unknown, onStale?: () => void, everyMs?: number): () => boolean {
  let known = look();
  const seen = polled(look, onStale, everyMs);
  return () => {
    const before = known;
    known = seen();
    return known !== before;
  };
}
