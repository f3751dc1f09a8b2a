/** For a program that stays: a property per call, a look at the disk five times a second at most, none while idle. */
export function polled<T>(look: () => T, everyMs = 200): () => T {
  let isFresh = false;
  let seen: T;
  const grow = () => void (isFresh = false);
  return () => {
    if (!isFresh) {
      isFresh = true;
      seen = look();
      setTimeout(grow, everyMs).unref();
    }
    return seen;
  };
}
