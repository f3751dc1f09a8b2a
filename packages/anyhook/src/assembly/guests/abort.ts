/** An `AbortSignal` cannot cross between processes; a promise that is kept when the caller gives up can. */

/** Kept when the caller gives up, and in the end; broken when the caller's process is gone. */
export type Aborted = () => Promise<void>;

/** On the calling side. */
export async function withAbort<T>(
  signal: AbortSignal | undefined,
  work: (aborted: Aborted) => Promise<T>,
): Promise<T> {
  let tell = () => {};
  const told = new Promise<void>((resolve) => (tell = () => resolve())); // without the event, which cannot cross
  if (signal?.aborted === true) tell();
  signal?.addEventListener('abort', tell, { once: true });
  try {
    return await work(() => told);
  } finally {
    signal?.removeEventListener('abort', tell);
    tell(); // so that nobody waits
  }
}

/** On the called side. A caller that is gone has given up too, unless the work was done before (`release`). */
export function followed(aborted: Aborted): { readonly signal: AbortSignal; release(): void } {
  const abort = new AbortController();
  let isOver = false;
  const giveUp = () => {
    if (!isOver) abort.abort();
  };
  aborted().then(giveUp, giveUp);
  return { signal: abort.signal, release: () => void (isOver = true) };
}
