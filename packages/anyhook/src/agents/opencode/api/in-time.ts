import { NEVER } from '../../../events/signal.ts';
import { release, wait } from '../../../runners/deadline.ts';

/** Resolves with the result of `work`, or rejects at the timeout. Later results and failures are dropped. */
export function inTime<T>(
  work: () => T | PromiseLike<T>,
  { timeoutMs, who }: { readonly timeoutMs: number; readonly who: () => string },
): Promise<Awaited<T>> {
  return new Promise((resolve, reject) => {
    const late = () =>
      reject(new DOMException(`${who()} did not answer within ${timeoutMs} ms`, 'TimeoutError'));
    const waiting = wait({ timeoutMs, signal: NEVER }, late);
    const run = async (): Promise<void> => {
      try {
        resolve(await work());
      } catch (error) {
        reject(error as Error); // rethrown unchanged
      } finally {
        release(waiting);
      }
    };
    void run();
  });
}
