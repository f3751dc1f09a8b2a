/** Runs work other than hooks in a module's process, without a deadline but with a signal to cancel it. */

import type { ModuleProcess } from './module-process.ts';

interface CancelTerms {
  readonly signal: AbortSignal;
  /** How long the work may take to react to an abort before its process is killed. */
  readonly graceMs: number;
}

/** Rejects with the reason if the process ended. */
export async function cancellable<T>(
  process: ModuleProcess,
  work: () => PromiseLike<T>,
  { signal, graceMs }: CancelTerms,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = () =>
    process.kill({ kind: 'aborted', detail: 'its process was killed because it was cancelled' });
  const callOff = () => void (timer = setTimeout(end, graceMs));
  signal.addEventListener('abort', callOff, { once: true });
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', callOff);
  }
}
