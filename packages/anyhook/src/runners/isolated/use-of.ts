/** Work with what an isolated process hands out beside its hooks: no deadline, but it can be called off. */
import type { Cell } from './cell.ts';

export interface UseTerms {
  readonly signal: AbortSignal;
  /** How long it may take to notice that it was called off, before its process is ended. */
  readonly graceMs: number;
}

/** Rejects with how the process ended, if it did. */
export async function useOf<T>(
  cell: Cell,
  work: (main: unknown) => PromiseLike<T>,
  { signal, graceMs }: UseTerms,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = () => cell.kill({ kind: 'aborted', detail: 'its process was ended because it was called off' });
  const callOff = () => void (timer = setTimeout(end, graceMs));
  signal.addEventListener('abort', callOff, { once: true });
  try {
    return await work(cell.main);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', callOff);
  }
}
