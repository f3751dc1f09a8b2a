const calls = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls when the signal is aborted; answers how to take it back. However many wait for one signal, it has one listener:
 * a host may give the same signal to hundreds of runs without a warning about a leak that is none.
 */
export function onAbort(signal: AbortSignal, call: () => void): () => void {
  const waiting = calls.get(signal) ?? listen(signal);
  waiting.add(call);
  return () => void waiting.delete(call);
}

function listen(signal: AbortSignal): Set<() => void> {
  const waiting = new Set<() => void>();
  calls.set(signal, waiting);
  signal.addEventListener('abort', () => waiting.forEach((call) => call()), { once: true });
  return waiting;
}
