/** What is waited for: a stream that is full, a call that is given up. */
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** Undefined: it takes more. A stream that breaks takes nothing any more, and nobody need wait for it. */
export const fullOf = (stream: Writable): Promise<void> | undefined =>
  stream.writableNeedDrain && !stream.destroyed
    ? Promise.race(['drain', 'close', 'error'].map((event) => once(stream, event))).then(
        () => {},
        () => {},
      )
    : undefined;

export function holdBack(stream: Readable, until: Promise<void>): void {
  if (stream.isPaused()) return; // by somebody who waits for the same
  stream.pause();
  void until.then(() => stream.resume());
}

export const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
