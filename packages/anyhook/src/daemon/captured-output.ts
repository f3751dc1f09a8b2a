/**
 * Collects what hook modules print while an event is answered. In a direct run all of it goes to stderr, because stdout is the
 * answer; a process that serves many events must give each client its own part.
 */

import { AsyncLocalStorage } from 'node:async_hooks';

const printed = new AsyncLocalStorage<string[]>();

/** Appends to the output of the event that is being answered; dropped outside of one. */
export const printForEvent = (text: string): void => void printed.getStore()?.push(text);

export async function capturePrinted<T>(
  run: () => Promise<T>,
): Promise<{ readonly value: T; readonly text: string }> {
  const texts: string[] = [];
  const value = await printed.run(texts, run);
  return { value, text: texts.join('') };
}

/** From here on this process prints nothing itself. */
export function captureStandardStreams(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      printForEvent(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
      const onWritten = rest.find((argument) => typeof argument === 'function') as (() => void) | undefined;
      if (onWritten !== undefined) queueMicrotask(onWritten);
      return true;
    }) as typeof stream.write;
}
