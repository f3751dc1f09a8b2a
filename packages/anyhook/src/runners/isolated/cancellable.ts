/** Work with what a module's process hands out beside its hooks: no deadline, but it can be called off. */
import type { ModuleProcess } from './module-process.ts';

interface CancelTerms {
  readonly signal: AbortSignal;
  /** How long it may take to notice that it was called off, before its process is ended. */
  readonly graceMs: number;
}

/** Rejects with how the process ended, if it did. */
export async function cancellable<T>(
  process: ModuleProcess,
  work: () => PromiseLike<T>,
  { signal, graceMs }: CancelTerms,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = () =>
    process.kill({ kind: 'aborted', detail: 'its process was ended because it was called off' });
  const callOff = () => void (timer = setTimeout(end, graceMs));
  signal.addEventListener('abort', callOff, { once: true });
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', callOff);
  }
}
