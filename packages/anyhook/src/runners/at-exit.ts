const words = new Set<() => void>();

/** Calls when this process ends in good order; the one given first is called first. Answers how to take it back. */
export function atExit(say: () => void): () => void {
  if (words.size === 0) process.on('exit', sayAll);
  words.add(say);
  return () => {
    words.delete(say);
    if (words.size === 0) process.off('exit', sayAll);
  };
}

function sayAll(): void {
  for (const say of words) say();
}
