const callbacks = new Set<() => void>();

/**
 * Runs a callback when this process exits normally, in order of registration. Returns a function that removes
 * it.
 */
export function atExit(callback: () => void): () => void {
  if (callbacks.size === 0) process.on('exit', runAll);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) process.off('exit', runAll);
  };
}

function runAll(): void {
  for (const callback of callbacks) callback();
}
